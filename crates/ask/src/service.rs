//! What a carrier calls.

use serde_json::Value;

use crate::export::{self, File};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::verify::{self, VerifyOptions};
use crate::window::Windows;

/// Answers requests within limits; clones share what is kept for windows into long tours.
#[derive(Clone, Debug, Default)]
pub struct Service {
    limits: Limits,
    windows: Windows,
}

impl Service {
    /// A service with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Service {
        Service { limits, windows: Windows::new(limits) }
    }

    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Reads a question, which is then for [`work`](crate::work).
    ///
    /// # Errors
    /// When it is not JSON, makes no sense, or is too large.
    pub fn submit(&self, body: &[u8]) -> Result<Request, Refusal> {
        Request::read(body, self.limits)
    }

    /// What the checker says of an answer, or what question this is; a fault is part of the verdict.
    ///
    /// # Errors
    /// When it is not text, its board or its answer is too large, or the check would take too long for an answer of
    /// this size.
    pub fn verify(&self, body: &[u8], options: &VerifyOptions) -> Result<Value, Refusal> {
        self.verify_until(body, options, &|| false)
    }

    /// The same; the check ends early when `stop` says so.
    ///
    /// # Errors
    /// As [`Service::verify`], or when the check was stopped.
    pub fn verify_until(
        &self,
        body: &[u8],
        options: &VerifyOptions,
        stop: &dyn Fn() -> bool,
    ) -> Result<Value, Refusal> {
        let text = str::from_utf8(body).map_err(|error| {
            let line = body[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
            Refusal::malformed(format!("line {line} is not UTF-8 text"))
        })?;
        verify::verdict(text, options, self.limits, stop)
    }

    /// A certificate, which is checked first, counts by start, or a tour too long to list, as a file.
    ///
    /// # Errors
    /// When there is no such format, the answer is wrong, or it cannot be drawn.
    pub fn export(&self, body: &[u8], format: &str) -> Result<File, Refusal> {
        self.export_until(body, format, &|| false)
    }

    /// The same; the check of the certificate ends early when `stop` says so.
    ///
    /// # Errors
    /// As [`Service::export`], or when the check was stopped or would take too long.
    pub fn export_until(
        &self,
        body: &[u8],
        format: &str,
        stop: &dyn Fn() -> bool,
    ) -> Result<File, Refusal> {
        export::file(body, format, &self.windows, stop)
    }

    /// The steps of a rectangle of squares of a tour too long to list, clipped to the board.
    ///
    /// # Errors
    /// When the request cannot be read, there is no such tour, or the rectangle is off its board or too large.
    pub fn window(&self, body: &[u8]) -> Result<Value, Refusal> {
        self.windows.window(body)
    }

    /// The squares of some steps of such a tour; fewer where it ends.
    ///
    /// # Errors
    /// When the request cannot be read, or there is no such tour or step.
    pub fn steps(&self, body: &[u8]) -> Result<Value, Refusal> {
        self.windows.steps(body)
    }
}
