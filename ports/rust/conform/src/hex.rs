//! Bytes and numbers as text.

/// The bytes of hexadecimal digits, or none if it is something else.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect();
    let digits = digits.filter(|d| d.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|d| d[0] << 4 | d[1]).collect())
}

/// The digits of some bytes.
pub fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{:02x}", b)).collect()
}

/// A number of 64 bits, of exactly 16 digits.
pub fn number(text: &str) -> Option<u64> {
    if text.len() != 16 {
        return None;
    }
    u64::from_str_radix(text, 16).ok()
}

/// A real as C's `%.3e` prints it.
pub fn real(x: f64) -> String {
    if !x.is_finite() {
        return format!("{}", x);
    }
    let plain = format!("{:.3e}", x);
    let (digits, exponent) = plain.split_once('e').unwrap_or((&plain, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(rest) => ('-', rest),
        None => ('+', exponent),
    };
    format!("{}e{}{:0>2}", digits, sign, exponent)
}

#[cfg(test)]
mod tests {
    #[test]
    fn reals_as_c_prints_them() {
        assert_eq!(super::real(0.01023), "1.023e-02");
        assert_eq!(super::real(0.0), "0.000e+00");
        assert_eq!(super::real(f64::INFINITY), "inf");
        assert_eq!(super::real(1.5e123), "1.500e+123");
    }
}
