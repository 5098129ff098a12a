#include "format/dialect/fastfilter_build.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include <bloomery/detail/hash/mix.hpp>
#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "base/multiply.hpp"

namespace bloomery::format {
namespace {

constexpr unsigned max_rounds = 100;
constexpr std::uint64_t step = 0x9e3779b97f4a7c15;  // of SplitMix64, which makes seeds

using three = std::array<std::uint32_t, 3>;

struct fuse_slots {
  fuse_size size;
  static constexpr std::uint64_t first_state = 0x726b2b9d438b9d4d;
  three operator()(std::uint64_t h) const noexcept {
    const std::uint64_t length = size.segment, mask = length - 1;
    const std::uint64_t first = base::multiply_high(h, size.slots - 2 * length);
    return {static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>((first + length) ^ (h >> 18 & mask)),
            static_cast<std::uint32_t>((first + 2 * length) ^ (h & mask))};
  }
};
struct xor_slots {
  std::uint64_t block;
  static constexpr std::uint64_t first_state = 1;
  three operator()(std::uint64_t h) const noexcept {
    three at;
    for (unsigned j = 0; j < 3; ++j)
      at[j] = static_cast<std::uint32_t>(
          j * block +
          ((std::rotl(h, static_cast<int>(21 * j)) & 0xffffffff) * block >> 32));
    return at;
  }
};

// What the slots of one round have, and the order in which keys were removed.
struct slot_state {
  std::uint64_t sum;   // of the hashes of its keys
  std::uint32_t keys;  // of them
};
struct removed {
  std::uint64_t hash;
  std::uint32_t slot;
};
struct workshop {
  pages states, order, waiting;
  slot_state* state;
  removed* stack;
  std::uint32_t* queue;
  std::size_t done = 0;

  static result<workshop> make(std::uint64_t keys, std::uint64_t slots) noexcept {
    workshop w;
    for (const auto& [to, size] : {std::pair{&w.states, slots * sizeof(slot_state)},
                                   std::pair{&w.order, keys * sizeof(removed)},
                                   std::pair{&w.waiting, (slots + 8) * 4}}) {
      auto made = pages::make(static_cast<std::size_t>(size));
      if (!made) return made.error();
      *to = *std::move(made);
    }
    w.state = reinterpret_cast<slot_state*>(w.states.data());
    w.stack = reinterpret_cast<removed*>(w.order.data());
    w.queue = reinterpret_cast<std::uint32_t*>(w.waiting.data());
    return w;
  }
  // Removes a key from a slot; whether one is left.
  bool take(std::uint32_t slot, std::uint64_t hash) const noexcept {
    state[slot].sum ^= hash;
    return --state[slot].keys == 1;
  }
};

// Slots with one key, the last first; those of a removed key follow its slot.
void peel(workshop& w, const fuse_slots& slots_of) noexcept {
  std::size_t waiting = 0;
  for (std::uint32_t s = 0; s < slots_of.size.slots; ++s)
    if (w.state[s].keys == 1) w.queue[waiting++] = s;
  while (waiting != 0) {
    const std::uint32_t s = w.queue[--waiting];
    if (w.state[s].keys != 1) continue;
    const std::uint64_t hash = w.state[s].sum;
    w.state[s].keys = 0;
    w.stack[w.done++] = {hash, s};
    const three at = slots_of(hash);
    const auto found = static_cast<unsigned>(std::ranges::find(at, s) - at.begin());
    for (const unsigned j : {(found + 1) % 3, (found + 2) % 3})
      if (w.take(at[j], hash)) w.queue[waiting++] = at[j];
  }
}

// A stack for each block; each is emptied before the next is looked at.
void peel(workshop& w, const xor_slots& slots_of) noexcept {
  std::array<std::size_t, 3> waiting{};
  std::array<std::uint32_t*, 3> queue{};
  for (unsigned j = 0; j < 3; ++j) {
    const auto first = static_cast<std::uint32_t>(j * slots_of.block);
    queue[j] = w.queue + first;
    for (std::uint32_t s = first; s < first + slots_of.block; ++s)
      if (w.state[s].keys == 1) queue[j][waiting[j]++] = s;
  }
  while (waiting[0] + waiting[1] + waiting[2] != 0)
    for (unsigned block = 0; block < 3; ++block)
      while (waiting[block] != 0) {
        const std::uint32_t s = queue[block][--waiting[block]];
        if (w.state[s].keys == 0) continue;
        const std::uint64_t hash = w.state[s].sum;
        w.state[s].keys = 0;
        w.stack[w.done++] = {hash, s};
        const three at = slots_of(hash);
        for (unsigned j = 0; j < 3; ++j)
          if (j != block && w.take(at[j], hash)) queue[j][waiting[j]++] = at[j];
      }
}

struct solution {
  std::uint64_t seed;
  pages prints;  // a 16-bit fingerprint for each slot
};

template <class Slots>
result<solution> solve(std::span<const std::uint64_t> numbers, std::uint64_t slots,
                       const Slots& slots_of) noexcept {
  auto w = workshop::make(numbers.size(), slots);
  if (!w) return w.error();
  auto prints = pages::make(static_cast<std::size_t>(2 * slots));
  if (!prints) return prints.error();
  std::uint64_t state = Slots::first_state;
  for (unsigned round = 0; round < max_rounds; ++round, state += step) {
    const std::uint64_t seed = hash::splitmix64(state);
    std::memset(w->states.data(), 0, w->states.size());
    for (const std::uint64_t n : numbers) {
      const std::uint64_t h = hash::fmix64(n + seed);
      for (const std::uint32_t s : slots_of(h)) {
        w->state[s].sum ^= h;
        ++w->state[s].keys;
      }
    }
    w->done = 0;
    peel(*w, slots_of);
    if (w->done != numbers.size()) continue;
    auto* const out = reinterpret_cast<std::uint16_t*>(prints->data());
    for (std::size_t i = w->done; i-- > 0;) {
      const auto [h, own] = w->stack[i];
      auto value = static_cast<std::uint16_t>(h ^ h >> 32);
      for (const std::uint32_t s : slots_of(h))
        if (s != own) value = static_cast<std::uint16_t>(value ^ out[s]);
      out[own] = value;
    }
    return solution{seed, *std::move(prints)};
  }
  return error{errc::unattainable,
               "xor_singleheader's builder finds no filter for a set of this size"};
}

// The fingerprints, `width` bytes each; those that are 0 left out, if `packed`.
result<pages> written(const solution& s, std::uint64_t slots, std::size_t header,
                      std::uint64_t width, bool packed) noexcept {
  const auto* const prints = reinterpret_cast<const std::uint16_t*>(s.prints.data());
  const auto print = [&](std::uint64_t i) noexcept {
    return static_cast<std::uint16_t>(prints[i] & (width == 1 ? 0xff : 0xffff));
  };
  std::uint64_t kept = slots;
  const std::uint64_t map = packed ? base::bytes_for_bits(slots) : 0;
  if (packed) {
    kept = 0;
    for (std::uint64_t i = 0; i < slots; ++i) kept += print(i) != 0;
  }
  auto image = pages::make(static_cast<std::size_t>(header + map + kept * width));
  if (!image) return image.error();
  std::byte* const bits = image->data() + header;
  base::byte_writer out(image->bytes().subspan(static_cast<std::size_t>(header + map)));
  for (std::uint64_t i = 0; i < slots; ++i) {
    const std::uint16_t p = print(i);
    if (packed && p == 0) continue;
    if (packed) bits[i / 8] |= static_cast<std::byte>(1u << (i % 8));
    if (width == 1)
      out.write(static_cast<std::uint8_t>(p));
    else
      out.write(p);
  }
  return image;
}

}  // namespace

fuse_size fastfilter_fuse_size(std::uint32_t n) noexcept {
  const double keys = n;
  const double log_length =
      n == 0 ? 2 : std::floor(std::log(keys) / std::log(3.33) + 2.25);
  const std::uint64_t length = std::uint64_t{1}
                               << static_cast<unsigned>(std::min(log_length, 18.0));
  double capacity = 0;
  if (n > 1)
    capacity = std::round(
        keys * std::max(1.125, 0.875 + 0.25 * std::log(1000000.0) / std::log(keys)));
  const std::uint64_t segments =
      (static_cast<std::uint64_t>(capacity) + length - 1) / length;
  return {length, (segments <= 2 ? 3 : segments) * length};
}

result<pages> build_fastfilter(std::string_view variant,
                               std::span<std::uint64_t> numbers) noexcept {
  std::ranges::sort(numbers);
  const auto end = std::unique(numbers.begin(), numbers.end());
  const auto distinct = numbers.first(static_cast<std::size_t>(end - numbers.begin()));
  const std::uint64_t width = variant.back() == '6' ? 2 : 1;
  // Slots have 32-bit numbers.
  if (distinct.size() > 0xc0000000)
    return error{errc::too_large, "more keys than xor_singleheader's filters can have", 0,
                 static_cast<double>(distinct.size()), 0xc0000000};
  const auto keys = static_cast<std::uint32_t>(distinct.size());
  if (variant.starts_with("xor")) {
    const std::uint64_t block =
        static_cast<std::uint64_t>(32 + 1.23 * static_cast<double>(keys)) / 3;
    const auto found = solve(distinct, 3 * block, xor_slots{block});
    if (!found) return found.error();
    auto image = written(*found, 3 * block, 16, width, false);
    if (!image) return image;
    base::byte_writer out(image->bytes());
    out.write(found->seed);
    out.write(block);
    return image;
  }
  const fuse_size size = fastfilter_fuse_size(keys);
  const auto found = solve(distinct, size.slots, fuse_slots{size});
  if (!found) return found.error();
  const bool packed = variant.starts_with("packed");
  auto image = written(*found, size.slots, packed ? 12 : 28, width, packed);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write(found->seed);
  out.write(keys);
  if (packed) return image;
  const auto number = [](std::uint64_t v) noexcept {
    return static_cast<std::uint32_t>(v);
  };
  out.write(number(size.segment));
  out.write(number(size.slots / size.segment - 2));
  out.write(number(size.slots - 2 * size.segment));
  out.write(number(size.slots));
  return image;
}

}  // namespace bloomery::format
