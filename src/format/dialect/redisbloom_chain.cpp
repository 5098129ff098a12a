#include <bloomery/detail/format/redisbloom_chain.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/redis_link.hpp"
#include "format/dialect/redis_steps.hpp"

namespace bloomery::inline v1 {

using namespace format::redis;  // NOLINT: the links of this dialect, in its own file

struct redisbloom_chain::part {
  format::redis::link head;
  link_steps steps;
  pages bits;  // as many as are loaded
};

namespace {

constexpr std::uint64_t first_piece = std::uint64_t{1} << 20;

error beyond_limit(std::uint64_t bytes, std::uint64_t max_bytes) noexcept {
  return {errc::too_large, "the filter would take more memory than it may", 0,
          static_cast<double>(bytes), static_cast<double>(max_bytes)};
}

error bits_are_missing() noexcept {
  return {errc::unsupported, "the bits of the filter are not all loaded"};
}

}  // namespace

redisbloom_chain::redisbloom_chain(std::uint32_t flags, std::uint32_t growth) noexcept
    : flags_(flags), growth_(growth) {}
redisbloom_chain::redisbloom_chain(redisbloom_chain&&) noexcept = default;
redisbloom_chain& redisbloom_chain::operator=(redisbloom_chain&&) noexcept = default;
redisbloom_chain::~redisbloom_chain() = default;

std::size_t redisbloom_chain::links() const noexcept { return parts_.size(); }

// --- making ---

result<redisbloom_chain> redisbloom_chain::make(const params& p) noexcept {
  if (!(p.fpr > 0 && p.fpr < 1))
    return error{errc::invalid_argument, "the rate must lie between 0 and 1", 0, p.fpr};
  if (p.keys == 0)
    return error{errc::invalid_argument, "the number of keys must be at least 1"};
  if (p.grows && p.growth == 0)
    return error{errc::invalid_argument, "a chain grows by at least 1"};
  const auto flags =
      static_cast<std::uint32_t>(no_round | force64 | (p.grows ? 0 : no_scaling));
  const auto head = first_link(p.keys, p.fpr, flags);
  if (!head) return head.error();
  if (head->bytes > p.max_bytes) return beyond_limit(head->bytes, p.max_bytes);
  redisbloom_chain f(flags, p.growth);
  auto bits = pages::make(static_cast<std::size_t>(head->bytes));
  if (!bits) return bits.error();
  if (auto in = f.parts_.push({*head, link_steps(*head), *std::move(bits)}); !in)
    return in.error();
  f.bytes_ = f.loaded_ = head->bytes;
  return f;
}

result<redisbloom_chain> redisbloom_chain::from_header(std::span<const std::byte> header,
                                                       std::uint64_t max_bytes) noexcept {
  redisbloom_chain f(0, 0);
  const auto head = read_head(
      header,
      [&](const chain_head& h, const format::redis::link& k) noexcept -> result<void> {
        if (f.parts_.size() == 0 && header.size() != chain_header + link_header * h.links)
          return format::damaged("not as long as a header of so many links",
                                 header.size());
        // A quarter of what a file may hold: their sum cannot overflow.
        if (static_cast<double>(k.bits) > format::max_bits ||
            k.bytes > max_bytes - std::min(max_bytes, f.bytes_))
          return beyond_limit(k.bytes, max_bytes);
        f.bytes_ += k.bytes;
        return f.parts_.push({k, link_steps(k), pages()});
      });
  if (!head) return head.error();
  f.flags_ = head->flags;
  f.growth_ = head->growth;
  f.size_ = head->size;
  return f;
}

result<redisbloom_chain> redisbloom_chain::clone() const noexcept {
  redisbloom_chain f(flags_, growth_);
  f.size_ = size_;
  f.bytes_ = bytes_;
  f.loaded_ = loaded_;
  for (const part& from : parts_) {
    auto bits = pages::make(from.bits.size());
    if (!bits) return bits.error();
    if (from.bits.size() != 0)
      std::memcpy(bits->data(), from.bits.data(), from.bits.size());
    if (auto in = f.parts_.push({from.head, from.steps, *std::move(bits)}); !in)
      return in.error();
  }
  return f;
}

// --- lookups ---

// From the newest, which has most of the keys.
bool redisbloom_chain::has_below(std::size_t links, std::uint64_t a,
                                 std::uint64_t b) const noexcept {
  for (std::size_t i = links; i-- > 0;)
    if (parts_[i].steps.all_set(parts_[i].bits.data(), a, b)) return true;
  return false;
}

bool redisbloom_chain::may_contain(std::string_view key) const noexcept {
  if (!is_loaded()) return true;
  const hash::u64_pair h = hash_with(flags_, key);
  return has_below(parts_.size(), h.first, h.second);
}

void redisbloom_chain::may_contain(std::span<const std::string_view> keys,
                                   std::span<bool> out) const noexcept {
  if (!is_loaded()) {
    std::fill(out.begin(), out.end(), true);
    return;
  }
  constexpr std::size_t group = link_steps::group;
  for (std::size_t at = 0; at < keys.size(); at += group) {
    const std::size_t n = std::min(group, keys.size() - at);
    hash::u64_pair hashes[group];
    unsigned char left[group];
    for (std::size_t i = 0; i < n; ++i) {
      hashes[i] = hash_with(flags_, keys[at + i]);
      left[i] = static_cast<unsigned char>(i);
      out[at + i] = false;
    }
    std::size_t count = n;
    for (std::size_t l = parts_.size(); l-- > 0 && count != 0;)
      count = parts_[l].steps.find_group(parts_[l].bits.data(), hashes, left, count,
                                         out.data() + at);
  }
}

// --- inserts ---

result<void> redisbloom_chain::grow(std::uint64_t max_bytes) noexcept {
  const auto next = next_link(parts_.back().head, parts_.size(), flags_, growth_);
  if (!next) {
    error e = next.error();
    if (!grows()) e.code = errc::full;
    return e;
  }
  if (next->bytes > max_bytes - std::min(max_bytes, bytes_))
    return beyond_limit(bytes_ + next->bytes, max_bytes);
  auto bits = pages::make_like(parts_.memory(), static_cast<std::size_t>(next->bytes));
  if (!bits) return bits.error();
  if (auto in = parts_.push({*next, link_steps(*next), *std::move(bits)}); !in) return in;
  bytes_ += next->bytes;
  loaded_ += next->bytes;
  return {};
}

result<bool> redisbloom_chain::insert_hashed(std::uint64_t a, std::uint64_t b,
                                             std::uint64_t max_bytes) noexcept {
  if (has_below(parts_.size(), a, b)) return false;
  if (size_ == std::numeric_limits<std::uint64_t>::max())
    return error{errc::unattainable, "full: its counter cannot count on"};
  if (const auto& last = parts_.back().head; last.size >= last.entries)
    if (auto ok = grow(max_bytes); !ok) return ok.error();
  part& last = parts_.back();
  if (auto ok = format::check_insertable(last.head.hashes); !ok) return ok.error();
  last.steps.set_all(last.bits.data(), a, b);
  ++last.head.size;
  ++size_;
  return true;
}

result<bool> redisbloom_chain::insert_if_absent(std::string_view key,
                                                std::uint64_t max_bytes) noexcept {
  if (!is_loaded()) return bits_are_missing();
  const hash::u64_pair h = hash_with(flags_, key);
  return insert_hashed(h.first, h.second, max_bytes);
}

// One after the other, as the order decides which link a key goes to: but the lines of a
// group are on their way before the first is looked at.
redisbloom_chain::inserted redisbloom_chain::insert_if_absent(
    std::span<const std::string_view> keys, std::span<bool> absent,
    std::uint64_t max_bytes) noexcept {
  if (!is_loaded()) return {0, bits_are_missing()};
  constexpr std::size_t group = link_steps::group;
  for (std::size_t at = 0; at < keys.size(); at += group) {
    const std::size_t n = std::min(group, keys.size() - at);
    hash::u64_pair hashes[group];
    for (std::size_t i = 0; i < n; ++i) hashes[i] = hash_with(flags_, keys[at + i]);
    // The newest link takes the keys: their bits in it are kept, while it is the newest.
    const std::size_t newest = parts_.size() - 1;
    link_steps::rows rows;
    const bool keeps = parts_[newest].steps.keeps_all();
    if (keeps)
      parts_[newest].steps.keep_group(parts_[newest].bits.data(), hashes, n, rows);
    for (std::size_t l = newest; l-- > 0;)
      parts_[l].steps.fetch_group(parts_[l].bits.data(), hashes, n);
    for (std::size_t i = 0; i < n; ++i) {
      part& last = parts_[newest];
      if (keeps && newest + 1 == parts_.size() && last.head.size < last.head.entries &&
          size_ != std::numeric_limits<std::uint64_t>::max()) {
        const bool is_new = !last.steps.row_is_set(last.bits.data(), rows.at[i]) &&
                            !has_below(newest, hashes[i].first, hashes[i].second);
        absent[at + i] = is_new;
        if (!is_new) continue;
        last.steps.set_row(last.bits.data(), rows.at[i]);
        ++last.head.size;
        ++size_;
        continue;
      }
      const auto done = insert_hashed(hashes[i].first, hashes[i].second, max_bytes);
      if (!done) return {at + i, done.error()};
      absent[at + i] = *done;
    }
  }
  return {keys.size(), std::nullopt};
}

// --- dumps ---

std::size_t redisbloom_chain::header_size() const noexcept {
  return static_cast<std::size_t>(chain_header + link_header * parts_.size());
}

void redisbloom_chain::encode_header(std::span<std::byte> out) const noexcept {
  base::byte_writer to(out);
  write_head(to, {.size = size_,
                  .links = static_cast<std::uint32_t>(parts_.size()),
                  .flags = flags_,
                  .growth = growth_});
  for (std::size_t i = 0; i < parts_.size(); ++i) write_link(to, parts_[i].head);
}

std::span<const std::byte> redisbloom_chain::bytes_at(
    std::uint64_t offset) const noexcept {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const part& p = parts_[i];
    if (offset < p.head.bytes) {
      const auto known =
          static_cast<std::size_t>(std::min<std::uint64_t>(loaded_in(i), p.bits.size()));
      if (offset >= known) return {};
      return p.bits.bytes().subspan(static_cast<std::size_t>(offset),
                                    known - static_cast<std::size_t>(offset));
    }
    offset -= p.head.bytes;
  }
  return {};
}

std::uint64_t redisbloom_chain::loaded_in(std::size_t i) const noexcept {
  std::uint64_t before = 0;
  for (std::size_t l = 0; l < i; ++l) before += parts_[l].head.bytes;
  return std::min(parts_[i].head.bytes, loaded_ - std::min(loaded_, before));
}

result<void> redisbloom_chain::load(std::uint64_t offset,
                                    std::span<const std::byte> bits) noexcept {
  const std::uint64_t begin = offset;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    part& p = parts_[i];
    if (offset >= p.head.bytes) {
      offset -= p.head.bytes;
      continue;
    }
    if (bits.size() > p.head.bytes - offset)
      return error{errc::invalid_argument, "the bits end behind their link", 0,
                   static_cast<double>(offset + bits.size()),
                   static_cast<double>(p.head.bytes)};
    if (begin > loaded_)
      return error{errc::invalid_argument, "bits before these are not loaded yet", 0,
                   static_cast<double>(begin), static_cast<double>(loaded_)};
    const std::uint64_t end = offset + bits.size();
    if (end > p.bits.size()) {
      const std::uint64_t room = std::min(
          p.head.bytes,
          std::max(end, std::max(first_piece, 2 * std::uint64_t{p.bits.size()})));
      auto larger = pages::make_like(parts_.memory(), static_cast<std::size_t>(room));
      if (!larger) return larger.error();
      if (p.bits.size() != 0) std::memcpy(larger->data(), p.bits.data(), p.bits.size());
      p.bits = *std::move(larger);
    }
    base::or_into(p.bits.bytes().subspan(static_cast<std::size_t>(offset), bits.size()),
                  bits);
    loaded_ = std::max(loaded_, begin + bits.size());
    return {};
  }
  return error{errc::invalid_argument, "the chain has no such bits", 0,
               static_cast<double>(begin), static_cast<double>(bytes_)};
}

// --- what it is ---

redisbloom_chain::link_facts redisbloom_chain::link(std::size_t i) const noexcept {
  const format::redis::link& k = parts_[i].head;
  return {.bytes = k.bytes,
          .bits = k.bits,
          .keys = k.size,
          .capacity = k.entries,
          .fpr = k.error,
          .hashes = k.hashes};
}

std::uint64_t redisbloom_chain::capacity() const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    sum = saturated_sum(sum, parts_[i].head.entries);
  return sum;
}

bool redisbloom_chain::grows() const noexcept { return (flags_ & no_scaling) == 0; }

unsigned redisbloom_chain::hash_bits() const noexcept {
  return (flags_ & force64) != 0 ? 64 : 32;
}

double redisbloom_chain::realised_fpr() const noexcept {
  if (!is_loaded()) return 1;
  double absent = 1;  // the chance that no link has a key
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const part& p = parts_[i];
    const auto ones =
        static_cast<double>(base::count_ones(p.bits.bytes(), p.head.modulus()));
    absent *= 1 - std::pow(ones / static_cast<double>(p.head.modulus()),
                           static_cast<double>(p.head.hashes));
  }
  return 1 - absent;
}

std::size_t redisbloom_chain::allocated_bytes() const noexcept {
  std::size_t sum = parts_.memory().allocated_bytes();
  for (std::size_t i = 0; i < parts_.size(); ++i) sum += parts_[i].bits.allocated_bytes();
  return sum;
}

bool redisbloom_chain::relocate(std::size_t i,
                                void* (*move)(void* memory, void* context) noexcept,
                                void* context) noexcept {
  if (i < parts_.size()) return parts_[i].bits.relocate(move, context);
  return parts_.relocate(move, context);
}

}  // namespace bloomery::inline v1
