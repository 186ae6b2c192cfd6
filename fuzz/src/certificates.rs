//! Certificates: what the checker takes in reads back the same, and stays confirmed.

use destrier::AnyCertificate;

/// Reads a certificate, writes it, and reads it again.
pub fn check(data: &[u8]) {
    let Ok(certificate) = serde_json::from_slice::<AnyCertificate>(data) else { return };
    let written = match &certificate {
        AnyCertificate::Tour(tour) => serde_json::to_string(tour),
        AnyCertificate::Capture(capture) => serde_json::to_string(capture),
        AnyCertificate::Swap(swap) => serde_json::to_string(swap),
        _ => return,
    };
    let written = written.expect("it can be written");
    let again: AnyCertificate = serde_json::from_str(&written).expect("it was written by us");
    assert_eq!(again, certificate);
}
