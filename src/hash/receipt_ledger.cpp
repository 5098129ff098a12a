#include <bloomery/detail/receipt_ledger.hpp>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include <bloomery/hasher.hpp>

#include "base/byte_reader.hpp"

namespace bloomery::inline v1 {

receipt_ledger::receipt_ledger(receipt_ledger&& other) noexcept
    : identity_(other.identity()),
      issued_(std::exchange(other.issued_, 0)),
      expired_(std::exchange(other.expired_, 0)),
      count_(std::exchange(other.count_, 0)),
      last_(std::exchange(other.last_, 0)),
      ranges_(std::move(other.ranges_)) {}

receipt_ledger& receipt_ledger::operator=(receipt_ledger&& other) noexcept {
  if (this == &other) return *this;
  identity_ = other.identity();
  issued_ = std::exchange(other.issued_, 0);
  expired_ = std::exchange(other.expired_, 0);
  count_ = std::exchange(other.count_, 0);
  last_ = std::exchange(other.last_, 0);
  ranges_ = std::move(other.ranges_);
  return *this;
}

result<receipt_ledger> receipt_ledger::copy() const noexcept {
  receipt_ledger made(identity());
  made.issued_ = issued_;
  made.expired_ = expired_;
  if (count_ == 0) return made;
  auto room = pages::make(ranges_.size());
  if (!room) return room.error();
  made.ranges_ = *std::move(room);
  made.count_ = count_;
  std::memcpy(made.ranges_.data(), ranges_.data(), count_ * sizeof(range));
  return made;
}

result<void> receipt_ledger::draw_identity() noexcept {
  const auto random = hasher::random_secret();
  if (!random)
    return error{errc::io, "the system gives no random bytes for the filter's identity",
                 0, random.error().asked};
  auto drawn = base::byte_reader(*random).read<std::uint64_t>();
  if (drawn == 0) drawn = 1;
  // One of several threads draws; the others use its number.
  std::uint64_t none = 0;
  (void)__atomic_compare_exchange_n(&identity_, &none, drawn, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
  return {};
}

std::size_t receipt_ledger::place_of(std::uint64_t number) const noexcept {
  const auto all = used();
  const auto holds_or_follows = [&](std::size_t i) {
    return i < count_ && all[i].end >= number && (i == 0 || all[i - 1].end < number);
  };
  if (holds_or_follows(last_)) return last_;
  const auto at =
      std::ranges::lower_bound(all, number, {}, [](const range& r) { return r.end; });
  return static_cast<std::size_t>(at - all.begin());
}

bool receipt_ledger::is_used(std::uint64_t number) const noexcept {
  std::size_t at = place_of(number);
  if (at < count_ && used()[at].end == number) ++at;  // one past its numbers
  return at < count_ && used()[at].first <= number;
}

std::uint64_t receipt_ledger::used_count() const noexcept {
  std::uint64_t n = 0;
  for (const range& r : used()) n += r.end - r.first;
  return n;
}

result<void> receipt_ledger::reserve() noexcept {
  const std::size_t room = ranges_.size() / sizeof(range);
  if (count_ < room || count_ == max_ranges) return {};
  auto larger = pages::make(std::min(std::max<std::size_t>(2 * room, 4), max_ranges + 1) *
                            sizeof(range));
  if (!larger) return larger.error();
  if (count_ != 0) std::memcpy(larger->data(), ranges_.data(), count_ * sizeof(range));
  ranges_ = *std::move(larger);
  return {};
}

void receipt_ledger::use(std::uint64_t number) noexcept {
  assert(number != 0 && number <= issued_ && !is_used(number));
  range* const all = data();
  // Mostly the one after the last: a few instructions, without a stack frame.
  if (last_ < count_ && all[last_].end == number &&
      (last_ + 1 == count_ || all[last_ + 1].first > number + 1)) [[likely]]
    return void(++all[last_].end);
  use_elsewhere(number);
}

[[gnu::noinline]] void receipt_ledger::use_elsewhere(std::uint64_t number) noexcept {
  range* const all = data();
  std::size_t at = place_of(number);
  const bool extends = at < count_ && all[at].end == number;
  const std::size_t next = extends ? at + 1 : at;
  const bool precedes = next < count_ && all[next].first == number + 1;
  if (extends && precedes) {
    all[at].end = all[next].end;
    std::copy(all + next + 1, all + count_, all + next);
    --count_;
  } else if (extends) {
    ++all[at].end;
  } else if (precedes) {
    --all[next].first;
  } else {
    // Before the new range is in: then there is room for it.
    if (count_ == max_ranges) {
      close_smallest_gap();
      if (is_used(number)) return void(--expired_);  // it was in that gap
      return use(number);
    }
    std::copy_backward(all + at, all + count_, all + count_ + 1);
    all[at] = {number, number + 1};
    ++count_;
  }
  last_ = at;
}

// The lowest, if several are as small.
void receipt_ledger::close_smallest_gap() noexcept {
  range* const all = data();
  std::size_t best = 1;
  const auto gap = [&](std::size_t i) { return all[i].first - all[i - 1].end; };
  for (std::size_t i = 2; i < count_; ++i)
    if (gap(i) < gap(best)) best = i;
  expired_ += gap(best);
  all[best - 1].end = all[best].end;
  std::copy(all + best + 1, all + count_, all + best);
  --count_;
  last_ = 0;
}

result<void> receipt_ledger::restore(std::uint64_t issued,
                                     std::span<const std::byte> ranges) noexcept {
  const error wrong{errc::corrupt, "a record of receipts that no filter wrote"};
  const std::size_t n = ranges.size() / sizeof(range);
  if (ranges.size() % sizeof(range) != 0 || n > max_ranges || issued == 0 ||
      issued > max_issued)
    return wrong;
  base::byte_reader in(ranges);
  pages room;
  if (n != 0) {
    auto made = pages::make(n * sizeof(range));
    if (!made) return made.error();
    room = *std::move(made);
  }
  range* const all = reinterpret_cast<range*>(room.data());
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto first = in.read<std::uint64_t>();
    const auto end = in.read<std::uint64_t>();
    if (first <= before || first >= end || end > issued + 1) return wrong;
    all[i] = {first, end};
    before = end;
  }
  issued_ = issued;
  count_ = n;
  last_ = 0;
  ranges_ = std::move(room);
  return {};
}

bool receipt_ledger::has_used_of(const receipt_ledger& other) const noexcept {
  return std::ranges::equal(used(), other.used());
}

}  // namespace bloomery::inline v1
