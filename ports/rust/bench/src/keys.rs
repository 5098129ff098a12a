//! Keys of one length, side by side in memory.

/// Pseudo-random bytes; `family` keeps sets apart.
pub struct Keys {
    bytes: Vec<u8>,
    length: usize,
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

impl Keys {
    pub fn new(count: usize, length: usize, family: u64) -> Self {
        let words = length / 8;
        let bytes = (0..count * words)
            .flat_map(|i| mix(i as u64 + (family << 48)).to_le_bytes())
            .collect();
        Keys { bytes, length }
    }

    pub fn all(&self) -> Vec<&[u8]> {
        self.bytes.chunks_exact(self.length).collect()
    }

    /// Some of them, in no order that the filter's builder had, and side by side: what is measured is not the cost of
    /// fetching keys.
    pub fn sample(&self, count: usize) -> Keys {
        let all = self.bytes.len() / self.length;
        let bytes = (0..count)
            .map(|i| (mix(i as u64 + 12345) % all as u64) as usize * self.length)
            .flat_map(|at| self.bytes[at..at + self.length].iter().copied())
            .collect();
        Keys {
            bytes,
            length: self.length,
        }
    }
}
