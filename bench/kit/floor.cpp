#include "kit/floor.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "kit/keep.hpp"
#include "kit/latency.hpp"
#include "kit/mix.hpp"

namespace bloomery::bench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t n) noexcept {
  return (n + huge_page - 1) & ~(huge_page - 1);
}

// Passed by value, as the keys are: a store cannot then force a member to be reloaded.
struct lines {
  std::uint64_t* words;
  std::uint64_t count;
  std::uint64_t* at(std::uint64_t h) const noexcept {
    return words + 8 * scale(h, count);
  }
  // A line that does not depend on the first: a product has other upper bits.
  std::uint64_t* second_at(std::uint64_t h) const noexcept {
    return at(h * 0x9e3779b97f4a7c15);
  }
};

template <class Access>
void plain(lines a, std::span<const std::uint64_t> keys, Access access) {
  for (const std::uint64_t h : keys) access(a.at(h));
}

// The last keys are prefetched but not visited: no second loop whose misses are cheaper.
template <class Access>
void batched(lines a, std::span<const std::uint64_t> keys, Access access) {
  constexpr std::size_t ahead = line_floor::in_flight;
  for (std::size_t i = 0; i < ahead; ++i) __builtin_prefetch(a.at(keys[i]));
  for (std::size_t i = 0; i < keys.size() - ahead; ++i) {
    __builtin_prefetch(a.at(keys[i + ahead]));
    access(a.at(keys[i]));
  }
}

// The same for two lines per key: access(first, second).
template <class Access>
void plain_pairs(lines a, std::span<const std::uint64_t> keys, Access access) {
  for (const std::uint64_t h : keys) access(a.at(h), a.second_at(h));
}

template <class Access>
void batched_pairs(lines a, std::span<const std::uint64_t> keys, Access access) {
  constexpr std::size_t ahead = line_floor::in_flight / 2;
  const auto fetch = [a](std::uint64_t h) {
    __builtin_prefetch(a.at(h));
    __builtin_prefetch(a.second_at(h));
  };
  for (std::size_t i = 0; i < ahead; ++i) fetch(keys[i]);
  for (std::size_t i = 0; i < keys.size() - ahead; ++i) {
    fetch(keys[i + ahead]);
    access(a.at(keys[i]), a.second_at(keys[i]));
  }
}

constexpr auto update = [](std::uint64_t* p) { *p |= 2; };
constexpr auto update_two = [](std::uint64_t* p, std::uint64_t* q) { *p |= 2, *q |= 2; };
constexpr auto atomic_or = [](std::uint64_t* p) {
  __atomic_fetch_or(p, 2, __ATOMIC_RELAXED);
};

}  // namespace

result<line_floor> line_floor::make(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 64);
  const std::size_t room = round_up(bytes) + huge_page;
  void* raw =
      mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED)
    return error{errc::out_of_memory, "no memory for the floor", 0,
                 static_cast<double>(room)};
  return line_floor(raw, room, bytes);
}

line_floor::line_floor(void* raw, std::size_t room, std::size_t bytes)
    : raw_(raw), room_(room), lines_(bytes / 64), keys_(accesses) {
  const std::size_t start = round_up(reinterpret_cast<std::uintptr_t>(raw));
  words_ = reinterpret_cast<std::uint64_t*>(start);
  madvise(words_, round_up(bytes), MADV_HUGEPAGE);
  std::memset(words_, 1, bytes);
  for (std::size_t i = 0; i < keys_.size(); ++i) keys_[i] = splitmix64(i);
}

line_floor::line_floor(line_floor&& other) noexcept
    : raw_(std::exchange(other.raw_, nullptr)),
      room_(other.room_),
      words_(other.words_),
      lines_(other.lines_),
      keys_(std::move(other.keys_)) {}

line_floor::~line_floor() {
  if (raw_ != nullptr) munmap(raw_, room_);
}

std::uint64_t line_floor::load_plain() const {
  std::uint64_t sum = 0;
  plain({words_, lines_}, keys_, [&](const std::uint64_t* p) { sum += *p; });
  return sum;
}

std::uint64_t line_floor::load_batched() const {
  std::uint64_t sum = 0;
  batched({words_, lines_}, keys_, [&](const std::uint64_t* p) { sum += *p; });
  return sum;
}

std::vector<std::uint64_t> line_floor::load_ticks() const {
  std::vector<std::uint64_t> ticks(keys_.size());
  const lines a{words_, lines_};
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::uint64_t h = keys_[i];
    keep(h);  // loaded before the clock starts
    const std::uint64_t start = stamp();
    keep(*a.at(h));
    ticks[i] = stamp() - start;
  }
  return ticks;
}

std::uint64_t line_floor::update_plain() {
  plain({words_, lines_}, keys_, update);
  return *words_;
}

std::uint64_t line_floor::update_batched() {
  batched({words_, lines_}, keys_, update);
  return *words_;
}

std::uint64_t line_floor::atomic_or_batched() {
  batched({words_, lines_}, keys_, atomic_or);
  return *words_;
}

std::uint64_t line_floor::load_two_plain() const {
  std::uint64_t sum = 0;
  plain_pairs({words_, lines_}, keys_,
              [&](const std::uint64_t* p, const std::uint64_t* q) { sum += *p + *q; });
  return sum;
}

std::uint64_t line_floor::load_two_batched() const {
  std::uint64_t sum = 0;
  bench::batched_pairs(
      {words_, lines_}, keys_,
      [&](const std::uint64_t* p, const std::uint64_t* q) { sum += *p + *q; });
  return sum;
}

std::uint64_t line_floor::update_two_plain() {
  plain_pairs({words_, lines_}, keys_, update_two);
  return *words_;
}

std::uint64_t line_floor::update_two_batched() {
  bench::batched_pairs({words_, lines_}, keys_, update_two);
  return *words_;
}

}  // namespace bloomery::bench
