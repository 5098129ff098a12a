#include <bloomery/detail/filter/distinct_keys.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "filter/radix_sort.hpp"

namespace bloomery::inline v1 {
namespace {

error no_memory(std::size_t bytes) noexcept {
  return {errc::out_of_memory, "not enough memory for the distinct keys", 0,
          static_cast<double>(bytes)};
}

key* keys_in(pages& p) noexcept { return reinterpret_cast<key*>(p.data()); }

// First place at or after `from` whose key is not less: doubling steps, then halving, so
// that a walk over both arrays costs the logarithm of the gap, not of the whole.
std::size_t not_less(std::span<const key> sorted, std::size_t from,
                     std::uint64_t bits) noexcept {
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

void distinct_keys::swap(distinct_keys& other) noexcept {
  std::swap(sorted_, other.sorted_);
  std::swap(count_, other.count_);
  std::swap(room_, other.room_);
  std::swap(buffer_, other.buffer_);
  std::swap(scratch_, other.scratch_);
  std::swap(buffered_, other.buffered_);
}

result<void> distinct_keys::add(std::span<const key> keys) noexcept {
  for (pages* p : {&buffer_, &scratch_})
    if (p->size() == 0) {
      auto made = pages::make(buffer_keys * sizeof(key));
      if (!made) return made.error();
      *p = *std::move(made);
    }
  while (!keys.empty()) {
    const std::size_t n = std::min(keys.size(), buffer_keys - buffered_);
    std::memcpy(keys_in(buffer_) + buffered_, keys.data(), n * sizeof(key));
    buffered_ += n;
    keys = keys.subspan(n);
    if (buffered_ == buffer_keys)
      if (auto ok = merge_buffer(); !ok) return ok;
  }
  return {};
}

result<std::span<const key>> distinct_keys::all() noexcept {
  if (auto ok = merge_buffer(); !ok) return ok.error();
  // The filter that follows can have their memory.
  buffer_ = pages();
  scratch_ = pages();
  return std::span<const key>(sorted_, count_);
}

// Pages are mapped ahead by half, which costs address space only: a page takes memory
// when it is first written.
result<void> distinct_keys::make_room_for(std::size_t keys) noexcept {
  if (keys <= room_) return {};
  const std::size_t page_keys = 4096 / sizeof(key);
  const std::size_t wanted = (keys + keys / 2 + page_keys) / page_keys * page_keys;
  void* p =
      sorted_ == nullptr
          ? ::mmap(nullptr, wanted * sizeof(key), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
          : ::mremap(sorted_, room_ * sizeof(key), wanted * sizeof(key), MREMAP_MAYMOVE);
  if (p == MAP_FAILED) return no_memory(wanted * sizeof(key));
  sorted_ = static_cast<key*>(p);
  room_ = wanted;
  return {};
}

// Keeps the buffered keys that are not in the array yet, and in `scratch_` where each
// belongs.  REQUIRES: the buffer is sorted
std::size_t distinct_keys::drop_known() noexcept {
  key* const buffer = keys_in(buffer_);
  key* const places = keys_in(scratch_);
  std::size_t kept = 0, at = 0;
  for (std::size_t i = 0; i < buffered_; ++i) {
    const key k = buffer[i];
    if (kept > 0 && buffer[kept - 1] == k) continue;
    at = not_less({sorted_, count_}, at, k.bits());
    if (at < count_ && sorted_[at] == k) continue;
    buffer[kept] = k;
    places[kept] = key::from_bits(at);
    ++kept;
  }
  return kept;
}

result<void> distinct_keys::merge_buffer() noexcept {
  if (buffered_ == 0) return {};
  key* const buffer = keys_in(buffer_);
  key* const places = keys_in(scratch_);
  radix_sort({buffer, buffered_}, {places, buffered_});
  const std::size_t added = drop_known();
  if (auto ok = make_room_for(count_ + added); !ok) return ok;
  // From the back: everything at or after a new key's place moves up by the number of
  // new keys before it.
  std::size_t end = count_;
  for (std::size_t i = added; i-- > 0;) {
    const auto at = static_cast<std::size_t>(places[i].bits());
    std::memmove(sorted_ + at + i + 1, sorted_ + at, (end - at) * sizeof(key));
    sorted_[at + i] = buffer[i];
    end = at;
  }
  count_ += added;
  buffered_ = 0;
  return {};
}

}  // namespace bloomery::inline v1
