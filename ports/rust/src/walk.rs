//! Filters whose bits lie anywhere in the array: a key is a walk of k steps.

use crate::hash::Key;
use crate::kind::{is_set, TOGETHER};

/// Bits of one key looked at before a branch: all that usual filters have. Which of them is the first clear one is a coin's
/// toss, and a wrong guess costs more than the loads it saves, because it stops the work on the keys that follow.
const AT_ONCE: u64 = 8;

/// The same for keys looked up together. Where half of the bits are set, an absent key is rejected by one of the first four 15
/// times in 16.
const AT_FIRST: u64 = 4;

/// Where the walk of a key stands.
pub(crate) trait Walk {
    /// What is needed to go on.
    type State: Copy;
    /// The first bit of a key.
    fn start(&self, key: Key) -> Self::State;
    /// The bit that was reached.
    fn bit(&self, state: &Self::State) -> u64;
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
        if !visit(walk.bit(&state)) {
            return false;
        }
        left -= 1;
        if left == 0 {
            return true;
        }
        walk.step(&mut state);
    }
}

/// Whether the next `count` bits are all set; the walk goes on behind them.
#[inline(always)]
fn next_are_set<W: Walk>(walk: &W, words: &[u64], state: &mut W::State, count: u64) -> bool {
    let mut all = true;
    for _ in 0..count {
        all &= is_set(words, walk.bit(state));
        walk.step(state);
    }
    all
}

/// Whether all of the last `left` bits of a walk are set.
#[inline(always)]
fn rest_is_set<W: Walk>(walk: &W, words: &[u64], state: &mut W::State, mut left: u64) -> bool {
    while left >= AT_ONCE {
        if !next_are_set(walk, words, state, AT_ONCE) {
            return false;
        }
        left -= AT_ONCE;
    }
    next_are_set(walk, words, state, left)
}

/// Whether all bits of a key are set.
#[inline(always)]
pub(crate) fn find<W: Walk>(walk: &W, words: &[u64], key: Key) -> bool {
    rest_is_set(walk, words, &mut walk.start(key), walk.steps())
}

/// Whether all bits of each key are set. First the beginnings of all walks, without a branch; then the others of those that
/// are still in question.
#[inline]
pub(crate) fn find_batch<W: Walk>(walk: &W, words: &[u64], keys: &[Key], out: &mut [bool]) {
    let first = walk.steps().min(AT_FIRST);
    let left = walk.steps() - first;
    for (keys, out) in keys.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
        let mut states = [walk.start(Key::default()); TOGETHER];
        for ((state, key), out) in states.iter_mut().zip(keys).zip(out.iter_mut()) {
            *state = walk.start(*key);
            *out = if first == AT_FIRST {
                next_are_set(walk, words, state, AT_FIRST)
            } else {
                next_are_set(walk, words, state, first)
            };
        }
        for (state, out) in states.iter_mut().zip(out.iter_mut()) {
            *out = *out && rest_is_set(walk, words, state, left);
        }
    }
}
