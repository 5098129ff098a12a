//! SipHash-1-3 (spec/hash.md 4): for keys that an attacker may choose.

use super::read64;

struct State([u64; 4]);

impl State {
    #[inline(always)]
    fn round(&mut self) {
        let [mut a, mut b, mut c, mut d] = self.0;
        a = a.wrapping_add(b);
        c = c.wrapping_add(d);
        b = b.rotate_left(13) ^ a;
        d = d.rotate_left(16) ^ c;
        a = a.rotate_left(32);
        c = c.wrapping_add(b);
        a = a.wrapping_add(d);
        b = b.rotate_left(17) ^ c;
        d = d.rotate_left(21) ^ a;
        c = c.rotate_left(32);
        self.0 = [a, b, c, d];
    }

    #[inline(always)]
    fn absorb(&mut self, word: u64) {
        self.0[3] ^= word;
        self.round();
        self.0[0] ^= word;
    }
}

/// SipHash-1-3 of `bytes` under `secret`.
#[inline]
pub fn siphash13(bytes: &[u8], secret: &[u8; 16]) -> u64 {
    let (k0, k1) = (read64(secret, 0), read64(secret, 8));
    let mut s = State([
        k0 ^ 0x736f_6d65_7073_6575,
        k1 ^ 0x646f_7261_6e64_6f6d,
        k0 ^ 0x6c79_6765_6e65_7261,
        k1 ^ 0x7465_6462_7974_6573,
    ]);
    let mut words = bytes.chunks_exact(8);
    for w in &mut words {
        s.absorb(read64(w, 0));
    }
    let mut last = [0u8; 8];
    let rest = words.remainder();
    last[..rest.len()].copy_from_slice(rest);
    last[7] = bytes.len() as u8;
    s.absorb(u64::from_le_bytes(last));
    s.0[2] ^= 0xff;
    for _ in 0..3 {
        s.round();
    }
    s.0.iter().fold(0, |h, v| h ^ v)
}
