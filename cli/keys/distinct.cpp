#include "keys/distinct.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

namespace bloomery::cli {
namespace {

// Least significant byte first, eight passes; an even number, so it ends in `keys`.
void radix_sort(std::span<key> keys, std::span<key> scratch) {
  std::array<std::array<std::uint32_t, 256>, 8> counts{};
  for (const key k : keys)
    for (unsigned byte = 0; byte < 8; ++byte)
      ++counts[byte][(k.bits() >> (8 * byte)) & 255];
  for (unsigned byte = 0; byte < 8; ++byte) {
    std::uint32_t start = 0;
    for (std::uint32_t& c : counts[byte]) start += std::exchange(c, start);
    for (const key k : keys) scratch[counts[byte][(k.bits() >> (8 * byte)) & 255]++] = k;
    std::swap(keys, scratch);
  }
}

// First place at or after `from` whose key is not less: doubling steps, then halving, so
// that a walk over both arrays costs the logarithm of the gap, not of the whole.
std::size_t not_less(std::span<const key> sorted, std::size_t from, std::uint64_t bits) {
  std::size_t step = 1, low = from;
  while (low + step <= sorted.size() && sorted[low + step - 1].bits() < bits) {
    low += step;
    step *= 2;
  }
  const auto rest = sorted.subspan(low, std::min(step, sorted.size() - low));
  const auto found = std::ranges::lower_bound(rest, bits, {}, &key::bits);
  return low + static_cast<std::size_t>(found - rest.begin());
}

}  // namespace

distinct_keys::~distinct_keys() {
  if (sorted_ != nullptr) ::munmap(sorted_, room_ * sizeof(key));
}

void distinct_keys::add(std::span<const key> keys) {
  buffer_.reserve(buffer_keys);
  scratch_.reserve(buffer_keys);
  while (!keys.empty()) {
    const std::size_t n = std::min(keys.size(), buffer_keys - buffer_.size());
    buffer_.insert(buffer_.end(), keys.begin(),
                   keys.begin() + static_cast<std::ptrdiff_t>(n));
    keys = keys.subspan(n);
    if (buffer_.size() == buffer_keys) merge_buffer();
  }
}

std::span<const key> distinct_keys::all() {
  merge_buffer();
  // The filter that follows can have their memory.
  buffer_ = std::vector<key>();
  scratch_ = std::vector<key>();
  return {sorted_, count_};
}

// Pages are mapped ahead by half, which costs address space only: a page takes memory
// when it is first written.
void distinct_keys::make_room_for(std::size_t keys) {
  if (keys <= room_) return;
  const std::size_t page_keys = 4096 / sizeof(key);
  const std::size_t wanted = (keys + keys / 2 + page_keys) / page_keys * page_keys;
  void* p =
      sorted_ == nullptr
          ? ::mmap(nullptr, wanted * sizeof(key), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
          : ::mremap(sorted_, room_ * sizeof(key), wanted * sizeof(key), MREMAP_MAYMOVE);
  if (p == MAP_FAILED) throw std::bad_alloc();
  sorted_ = static_cast<key*>(p);
  room_ = wanted;
}

// Keeps the buffered keys that are not in the array yet, and in `scratch_` where each
// belongs.  REQUIRES: the buffer is sorted
std::size_t distinct_keys::drop_known() {
  std::size_t kept = 0, at = 0;
  for (std::size_t i = 0; i < buffer_.size(); ++i) {
    const key k = buffer_[i];
    if (kept > 0 && buffer_[kept - 1] == k) continue;
    at = not_less({sorted_, count_}, at, k.bits());
    if (at < count_ && sorted_[at] == k) continue;
    buffer_[kept] = k;
    scratch_[kept] = key::from_hash(at);
    ++kept;
  }
  return kept;
}

void distinct_keys::merge_buffer() {
  scratch_.resize(buffer_.size());
  radix_sort(buffer_, scratch_);
  const std::size_t added = drop_known();
  make_room_for(count_ + added);
  // From the back: everything at or after a new key's place moves up by the number of
  // new keys before it.
  std::size_t end = count_;
  for (std::size_t i = added; i-- > 0;) {
    const auto at = static_cast<std::size_t>(scratch_[i].bits());
    std::memmove(sorted_ + at + i + 1, sorted_ + at, (end - at) * sizeof(key));
    sorted_[at + i] = buffer_[i];
    end = at;
  }
  count_ += added;
  buffer_.clear();
}

}  // namespace bloomery::cli
