#include <bloomery/detail/format/redisbloom_cuckoo.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "format/dialect/redis_sub_filter.hpp"
#include "hash/murmur.hpp"

namespace bloomery::inline v1 {

using namespace format::redis;  // NOLINT: sub-filters of this dialect, in its own file

struct redisbloom_cuckoo::position {
  std::uint64_t first, second;  // modulo the buckets of any sub-filter
  std::byte fingerprint;

  static std::uint64_t other(std::byte fingerprint, std::uint64_t bucket) noexcept {
    return bucket ^ (std::to_integer<std::uint64_t>(fingerprint) * 0x5bd1e995);
  }
  static position of(std::string_view key) noexcept {
    const std::uint64_t h = hash::murmur64a(key, 0);
    const auto f = static_cast<std::byte>(h % 255 + 1);
    return {h, other(f, h), f};
  }
};

namespace {

constexpr std::byte empty{0};
error slots_are_missing() noexcept {
  return {errc::unsupported, "the slots of the filter are not all loaded"};
}

std::byte* bucket_of(std::byte* slots, std::uint64_t buckets, std::uint64_t size,
                     std::uint64_t place) noexcept {
  return slots + (place & (buckets - 1)) * size;
}

std::byte* find(std::byte* bucket, std::size_t size, std::byte what) noexcept {
  return static_cast<std::byte*>(std::memchr(bucket, std::to_integer<int>(what), size));
}

}  // namespace

redisbloom_cuckoo::redisbloom_cuckoo() noexcept = default;
redisbloom_cuckoo::redisbloom_cuckoo(redisbloom_cuckoo&&) noexcept = default;
redisbloom_cuckoo& redisbloom_cuckoo::operator=(redisbloom_cuckoo&&) noexcept = default;
redisbloom_cuckoo::~redisbloom_cuckoo() = default;

std::size_t redisbloom_cuckoo::links() const noexcept { return parts_.size(); }

// --- making ---

result<redisbloom_cuckoo> redisbloom_cuckoo::make(const params& p) noexcept {
  if (p.slots == 0 || p.slots > 255)
    return error{errc::invalid_argument, "a bucket has 1 to 255 slots", 0,
                 static_cast<double>(p.slots), 255};
  if (p.kicks == 0) return error{errc::invalid_argument, "at least one kick is needed"};
  if (p.keys < 2 * std::uint64_t{p.slots})
    return error{errc::invalid_argument, "there are fewer keys than slots of two buckets",
                 0, static_cast<double>(p.keys), 2.0 * p.slots};
  if (p.growth > 32768)
    return error{errc::invalid_argument, "a filter grows by at most 32768", 0,
                 static_cast<double>(p.growth), 32768};
  if (p.keys > max_part) return beyond_limit(static_cast<double>(p.keys), max_part);
  redisbloom_cuckoo f;
  f.slots_ = p.slots;
  f.kicks_ = p.kicks;
  f.growth_ = p.growth == 0 ? std::uint16_t{0} : std::bit_ceil(p.growth);
  f.buckets_ = std::bit_ceil(p.keys / p.slots);
  const std::uint64_t bytes = f.buckets_ * p.slots;
  const std::uint64_t most = std::min(p.max_bytes, max_part);
  if (bytes > most) return beyond_limit(static_cast<double>(bytes), most);
  auto slots = pages::make(static_cast<std::size_t>(bytes));
  if (!slots) return slots.error();
  if (auto in = f.parts_.push({f.buckets_, bytes, *std::move(slots)}); !in)
    return in.error();
  f.bytes_ = f.loaded_ = bytes;
  return f;
}

result<redisbloom_cuckoo> redisbloom_cuckoo::clone() const noexcept {
  redisbloom_cuckoo f;
  f.keys_ = keys_;
  f.erased_ = erased_;
  f.buckets_ = buckets_;
  f.bytes_ = bytes_;
  f.loaded_ = loaded_;
  f.slots_ = slots_;
  f.kicks_ = kicks_;
  f.growth_ = growth_;
  for (const part& from : parts_) {
    auto slots = pages::make(from.slots.size());
    if (!slots) return slots.error();
    if (from.slots.size() != 0)
      std::memcpy(slots->data(), from.slots.data(), from.slots.size());
    if (auto in = f.parts_.push({from.buckets, from.bytes, *std::move(slots)}); !in)
      return in.error();
  }
  return f;
}

// --- lookups ---

std::uint64_t redisbloom_cuckoo::count(std::string_view key) const noexcept {
  if (!is_loaded()) return 1;
  const position at = position::of(key);
  std::uint64_t n = 0;
  for (const part& p : parts_)
    for (const std::uint64_t place : {at.first, at.second}) {
      const std::byte* bucket = p.slots.data() + (place & (p.buckets - 1)) * slots_;
      n +=
          static_cast<std::uint64_t>(std::count(bucket, bucket + slots_, at.fingerprint));
    }
  return n;
}

void redisbloom_cuckoo::may_contain(std::span<const std::string_view> keys,
                                    std::span<bool> out) const noexcept {
  constexpr std::size_t group = 32;
  if (!is_loaded()) {
    std::fill(out.begin(), out.end(), true);
    return;
  }
  for (std::size_t i = 0; i < keys.size(); i += group) {
    const std::size_t n = std::min(group, keys.size() - i);
    position at[group];
    bool found[group] = {};
    for (std::size_t j = 0; j < n; ++j) at[j] = position::of(keys[i + j]);
    for (const part& p : parts_) {
      const std::uint64_t mask = p.buckets - 1;
      const std::byte* slots = p.slots.data();
      for (std::size_t j = 0; j < n; ++j) {
        __builtin_prefetch(slots + (at[j].first & mask) * slots_);
        __builtin_prefetch(slots + (at[j].second & mask) * slots_);
      }
      for (std::size_t j = 0; j < n; ++j)
        for (const std::uint64_t place : {at[j].first, at[j].second})
          for (std::size_t s = 0; s < slots_; ++s)
            found[j] |= slots[(place & mask) * slots_ + s] == at[j].fingerprint;
    }
    std::copy(found, found + n, out.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// --- inserts and erases ---

bool redisbloom_cuckoo::put(const position& at) noexcept {
  for (std::size_t i = parts_.size(); i-- > 0;)
    for (const std::uint64_t place : {at.first, at.second}) {
      std::byte* bucket =
          bucket_of(parts_[i].slots.data(), parts_[i].buckets, slots_, place);
      if (std::byte* slot = find(bucket, slots_, empty)) {
        *slot = at.fingerprint;
        return true;
      }
    }
  return false;
}

// In the newest sub-filter.  A failure is undone, swap by swap.
bool redisbloom_cuckoo::kick(const position& at) noexcept {
  part& p = parts_.back();
  const std::uint64_t mask = p.buckets - 1;
  std::byte carried = at.fingerprint;
  std::uint64_t bucket = at.first & mask;
  std::size_t victim = 0;
  for (unsigned i = 0; i < kicks_; ++i) {
    std::swap(p.slots.data()[bucket * slots_ + victim], carried);
    bucket = position::other(carried, bucket) & mask;
    if (std::byte* slot = find(p.slots.data() + bucket * slots_, slots_, empty)) {
      *slot = carried;
      return true;
    }
    victim = (victim + 1) % slots_;
  }
  for (unsigned i = 0; i < kicks_; ++i) {
    victim = (victim + slots_ - 1) % slots_;
    bucket = position::other(carried, bucket) & mask;
    std::swap(p.slots.data()[bucket * slots_ + victim], carried);
  }
  return false;
}

result<std::uint64_t> redisbloom_cuckoo::next_buckets() const noexcept {
  if (growth_ == 0) return error{errc::full, "full: the filter does not grow"};
  const std::uint64_t buckets = parts_[parts_.size() - 1].buckets * growth_;
  if (buckets * slots_ > max_part || parts_.size() >= max_filters)
    return beyond_limit(static_cast<double>(buckets) * slots_, max_part);
  return buckets;
}

result<void> redisbloom_cuckoo::try_insert(std::string_view key,
                                           std::uint64_t max_bytes) noexcept {
  if (!is_loaded()) return slots_are_missing();
  const position at = position::of(key);
  if (!put(at) && !kick(at)) {
    const auto buckets = next_buckets();
    if (!buckets) return buckets.error();
    const std::uint64_t bytes = *buckets * slots_;
    if (bytes > max_bytes - std::min(max_bytes, bytes_))
      return beyond_limit(static_cast<double>(bytes_ + bytes), max_bytes);
    auto slots = pages::make_like(parts_.memory(), static_cast<std::size_t>(bytes));
    if (!slots) return slots.error();
    if (auto in = parts_.push({*buckets, bytes, *std::move(slots)}); !in) return in;
    bytes_ += bytes;
    loaded_ += bytes;
    put(at);  // the new one is empty
  }
  ++keys_;
  return {};
}

result<void> redisbloom_cuckoo::erase_present(std::string_view key) noexcept {
  if (!is_loaded()) return slots_are_missing();
  const position at = position::of(key);
  for (std::size_t i = parts_.size(); i-- > 0;)
    for (const std::uint64_t place : {at.first, at.second}) {
      std::byte* bucket =
          bucket_of(parts_[i].slots.data(), parts_[i].buckets, slots_, place);
      std::byte* slot = find(bucket, slots_, at.fingerprint);
      if (slot == nullptr) continue;
      *slot = empty;
      keys_ -= keys_ != 0;  // fewer than slots only in data that nobody wrote
      ++erased_;
      if (parts_.size() > 1 &&
          static_cast<double>(erased_) > static_cast<double>(keys_) * 0.10)
        compact_from_newest(false);
      return {};
    }
  return error{errc::not_present, "the key is not in the filter"};
}

// Moves what it can of sub-filter i to older ones; whether nothing is left.
bool redisbloom_cuckoo::strip(std::size_t i) noexcept {
  part& from = parts_[i];
  bool is_empty = true;
  for (std::uint64_t bucket = 0; bucket < from.buckets; ++bucket)
    for (std::size_t s = 0; s < slots_; ++s) {
      std::byte& slot = from.slots.data()[bucket * slots_ + s];
      if (slot == empty) continue;
      // Older ones have as many buckets or fewer: the number of this one says enough.
      const std::uint64_t places[] = {bucket, position::other(slot, bucket)};
      for (std::size_t to = 0; to < i && slot != empty; ++to)
        for (const std::uint64_t place : places) {
          std::byte* free =
              find(bucket_of(parts_[to].slots.data(), parts_[to].buckets, slots_, place),
                   slots_, empty);
          if (free == nullptr) continue;
          *free = std::exchange(slot, empty);
          break;
        }
      is_empty = is_empty && slot == empty;
    }
  return is_empty;
}

void redisbloom_cuckoo::compact_from_newest(bool all) noexcept {
  for (std::size_t i = parts_.size(); i-- > 1;) {
    const bool is_empty = strip(i);
    if (is_empty && i + 1 == parts_.size()) {
      bytes_ -= parts_.back().bytes;
      loaded_ = bytes_;
      parts_.pop();
    }
    if (!is_empty && !all) break;
  }
  erased_ = 0;
}

result<void> redisbloom_cuckoo::compact() noexcept {
  if (!is_loaded()) return slots_are_missing();
  compact_from_newest(true);
  return {};
}

std::size_t redisbloom_cuckoo::allocated_bytes() const noexcept {
  std::size_t sum = parts_.memory().allocated_bytes();
  for (const part& p : parts_) sum += p.slots.allocated_bytes();
  return sum;
}

bool redisbloom_cuckoo::relocate(std::size_t i,
                                 void* (*move)(void* memory, void* context) noexcept,
                                 void* context) noexcept {
  if (i < parts_.size()) return parts_[i].slots.relocate(move, context);
  return parts_.relocate(move, context);
}

}  // namespace bloomery::inline v1
