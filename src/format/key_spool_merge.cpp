// Sorted runs into one sorted file.
//
// Each run has a piece of the memory.  A round takes, of every piece, the keys up to the
// smallest last key of the pieces whose runs have more: nothing below it is still on
// disk.  At least one piece is used up by that, so each key is read once and rounds are
// few, however the keys are spread over the runs.
#include <cstring>
#include <limits>

#include "filter/sort_unique.hpp"
#include "format/key_spool.hpp"

namespace bloomery::inline v1 {
namespace {

// What was read is given back to the disk in steps of 8 MiB.
constexpr std::uint64_t discard_step = std::uint64_t{1} << 20;

}  // namespace

// Fills up a piece that is less than half full.
result<void> key_spool::state::refill(spool_run& run, std::span<key> piece) noexcept {
  const std::size_t held = run.last - run.first;
  if (run.unread == run.end || held > piece.size() / 2) return {};
  std::memmove(static_cast<void*>(piece.data()), piece.data() + run.first,
               held * sizeof(key));
  const auto more = piece.subspan(held).first(static_cast<std::size_t>(
      std::min<std::uint64_t>(piece.size() - held, run.end - run.unread)));
  if (auto ok = runs_file.read(run.unread, more); !ok) return ok;
  run.unread += more.size();
  run.first = 0;
  run.last = held + more.size();
  if (run.unread - run.discarded >= discard_step || run.unread == run.end) {
    runs_file.discard(run.discarded, run.unread);
    run.discarded = run.unread;
  }
  return {};
}

result<void> key_spool::state::merge(unsigned threads) noexcept {
  spooled = runs_file.size();
  const std::size_t third = room() / 3, piece = third / run_count;
  auto memory = pages::make(3 * third * sizeof(key));
  if (!memory) return memory.error();
  const auto pieces = keys_of(*memory).first(third),
             gathered = keys_of(*memory).subspan(third, third),
             spare = keys_of(*memory).last(third);
  std::uint64_t taken = 0;
  for (;;) {
    std::uint64_t bound = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t r = 0; r < run_count; ++r) {
      spool_run& run = runs()[r];
      const auto mine = pieces.subspan(r * piece, piece);
      if (auto ok = refill(run, mine); !ok) return ok;
      if (run.unread != run.end) bound = std::min(bound, mine[run.last - 1].bits());
    }
    std::size_t count = 0;
    for (std::size_t r = 0; r < run_count; ++r) {
      spool_run& run = runs()[r];
      const auto held = pieces.subspan(r * piece + run.first, run.last - run.first);
      const auto end = std::ranges::upper_bound(held, bound, {}, &key::bits);
      const auto n = static_cast<std::size_t>(end - held.begin());
      std::memcpy(static_cast<void*>(gathered.data() + count), held.data(),
                  n * sizeof(key));
      count += n;
      run.first += n;
    }
    if (count == 0) break;
    taken += count;
    const std::size_t kept = sort_unique(gathered.first(count), spare, threads);
    smallest.add(gathered.first(std::min(kept, sentinel_picker::max_keys)));
    if (auto ok = sorted_file.append(gathered.first(kept)); !ok) return ok;
    report(taken, 0);
  }
  spilled += sorted_file.size();
  return runs_file.clear();
}

void key_spool::state::report(std::uint64_t merged, std::uint64_t taken) const noexcept {
  if (progress.call != nullptr)
    progress.call(progress.context, (merged + taken) * sizeof(key),
                  2 * spooled * sizeof(key));
}

}  // namespace bloomery::inline v1
