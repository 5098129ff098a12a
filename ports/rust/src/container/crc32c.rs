//! CRC-32C (Castagnoli), eight bytes at a time.

const POLYNOMIAL: u32 = 0x82f6_3b78;

/// `TABLES[i][b]` is the remainder of byte b followed by i zero bytes.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut t = [[0u32; 256]; 8];
    let mut b = 0;
    while b < 256 {
        let mut crc = b as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 != 0 {
                crc >> 1 ^ POLYNOMIAL
            } else {
                crc >> 1
            };
            bit += 1;
        }
        t[0][b] = crc;
        b += 1;
    }
    let mut i = 1;
    while i < 8 {
        let mut b = 0;
        while b < 256 {
            let before = t[i - 1][b];
            t[i][b] = before >> 8 ^ t[0][(before & 255) as usize];
            b += 1;
        }
        i += 1;
    }
    t
}

/// The CRC of bytes that come in parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crc(u32);

impl Crc {
    pub(crate) fn new() -> Self {
        Crc(!0)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        let mut crc = self.0;
        for w in &mut words {
            let low = crc ^ u32::from_le_bytes([w[0], w[1], w[2], w[3]]);
            let at = |i: usize, b: u32| TABLES[i][(b & 255) as usize];
            crc = at(7, low)
                ^ at(6, low >> 8)
                ^ at(5, low >> 16)
                ^ at(4, low >> 24)
                ^ at(3, u32::from(w[4]))
                ^ at(2, u32::from(w[5]))
                ^ at(1, u32::from(w[6]))
                ^ at(0, u32::from(w[7]));
        }
        for b in words.remainder() {
            crc = crc >> 8 ^ TABLES[0][((crc ^ u32::from(*b)) & 255) as usize];
        }
        self.0 = crc;
    }

    pub(crate) fn value(self) -> u32 {
        !self.0
    }
}

/// The CRC-32C of some bytes.
///
/// ```
/// assert_eq!(bloomery::container::crc32c(b"123456789"), 0xe3069283);
/// ```
pub fn crc32c(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.add(bytes);
    crc.value()
}
