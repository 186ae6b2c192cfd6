//! Lines that carry a checksum, for journals: what a kill has broken off, or a hand has changed, is noticed.

/// A line with its checksum.
pub(crate) fn sealed(text: &str) -> String {
    format!("{text} #{:016x}\n", checksum(text))
}

/// The text of a whole line whose checksum is right.
pub(crate) fn checked(line: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (text, sum) = text.rsplit_once(" #")?;
    (u64::from_str_radix(sum, 16).ok()? == checksum(text)).then_some(text)
}

/// Fowler, Noll and Vo's hash, FNV-1a.
#[must_use]
pub fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
