// Depth-first over all choices of a program that is run again and again.
//
// An execution asks for choices: which thread steps next, which of several messages it
// reads.  The answers are a path; the next execution repeats it up to the last choice
// that has an alternative.  States that were seen before are not entered again, and of
// two steps that commute only one order is tried: sleep sets with a store of states
// (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996,
// chapter 5 and 6.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace interleave {

// Identifies a state: two halves, so that two states never meet by chance.
struct state_key {
  std::uint64_t low = 0x243F6A8885A308D3;
  std::uint64_t high = 0x13198A2E03707344;

  void add(std::uint64_t word) {
    low = (low ^ word) * 0x9FB21C651E98DF25;
    low ^= low >> 29;
    high = (high + word) * 0xD6E8FEB86659FD93;
    high ^= high >> 32;
  }
  bool operator==(const state_key&) const = default;
};

class search {
 public:
  // reduce: false enters every state by every path, to test the reductions.
  explicit search(bool reduce = true) : reduce_(reduce) {}

  // The next execution begins.
  void begin() { at_ = 0; }
  // Turns to the next path; false: all were tried.
  bool advance();

  // One of 0 .. n - 1.
  unsigned choose(unsigned n);

  // The thread to step, one of the mask `enabled`; `asleep`: threads whose next step was
  // tried before a step that commutes with it.  `preferred` first.  None: nothing new can
  // come of this state.
  static constexpr unsigned none = ~0U;
  unsigned pick(unsigned enabled, unsigned asleep, unsigned preferred,
                const std::function<state_key()>& state);
  // After pick: the threads whose step need not be tried next, if it commutes with the
  // step picked.
  unsigned asleep() const { return path_[at_ - 1].asleep; }

  std::size_t states() const { return seen_.size(); }

 private:
  struct node {
    bool is_pick;
    unsigned chosen;
    unsigned rest;        // of a choice: alternatives not tried; of a pick: their mask
    unsigned asleep = 0;  // of a pick
  };
  struct hash {
    std::size_t operator()(const state_key& k) const { return k.low; }
  };

  bool reduce_;
  std::vector<node> path_;
  std::size_t at_ = 0;
  // With the threads that were not tried there.
  std::unordered_map<state_key, unsigned, hash> seen_;
};

}  // namespace interleave
