//! Filters whose bits lie anywhere in the array: a key is a walk of k steps.

use crate::hash::Key;
use crate::kind::is_set;

/// Keys asked together. The first words of all are touched before the second of any, so their cache misses overlap; more
/// would not fit the line fill buffers of today's processors.
const TOGETHER: usize = 16;

/// Where the walk of a key stands.
pub(crate) trait Walk {
    /// What is needed to go on.
    type State: Copy;
    /// The first bit of a key.
    fn start(&self, key: Key) -> Self::State;
    /// The bit that was reached.
    fn bit(state: &Self::State) -> u64;
    /// One step on.
    fn step(&self, state: &mut Self::State);
    /// How many bits are visited.
    fn steps(&self) -> u64;
}

#[inline(always)]
pub(crate) fn probe<W: Walk>(walk: &W, key: Key, mut visit: impl FnMut(u64) -> bool) -> bool {
    let mut state = walk.start(key);
    let mut left = walk.steps();
    loop {
        if !visit(W::bit(&state)) {
            return false;
        }
        left -= 1;
        if left == 0 {
            return true;
        }
        walk.step(&mut state);
    }
}

/// Whether all bits of each key are set. Keys that met a zero drop out without a branch: which of them will is a coin's
/// toss, and a wrong guess costs more than a step.
#[inline]
pub(crate) fn find_batch<W: Walk>(walk: &W, words: &[u64], keys: &[Key], out: &mut [bool]) {
    let steps = walk.steps();
    for (keys, out) in keys.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
        let mut states = [walk.start(Key::default()); TOGETHER];
        let mut ids = [0u8; TOGETHER];
        for (i, (state, key)) in states.iter_mut().zip(keys).enumerate() {
            *state = walk.start(*key);
            ids[i] = i as u8;
        }
        let mut alive = keys.len();
        for _ in 0..steps {
            let mut kept = 0;
            for i in 0..alive {
                let mut state = states[i];
                let set = is_set(words, W::bit(&state));
                walk.step(&mut state);
                states[kept] = state;
                ids[kept] = ids[i];
                kept += usize::from(set);
            }
            alive = kept;
            if alive == 0 {
                break;
            }
        }
        out.fill(false);
        for id in &ids[..alive] {
            out[usize::from(*id)] = true;
        }
    }
}
