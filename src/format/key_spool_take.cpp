// Sorted keys, range after range, through a buffer.
#include <cstring>

#include "format/key_spool.hpp"

namespace bloomery::inline v1 {
namespace {

// Bytes.  A shard of a fuse filter has up to 38 MB of keys.
constexpr std::size_t min_read_buffer = std::size_t{256} << 10,
                      usual_read_buffer = std::size_t{48} << 20;
constexpr std::size_t max_step = std::size_t{1} << 20;  // keys read at a time

std::size_t count_below(std::span<const key> sorted, std::uint64_t end) noexcept {
  if (end == 0) return sorted.size();
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, end, {}, &key::bits) -
                                  sorted.begin());
}

}  // namespace

result<sorted_keys> key_spool::state::sorted(std::uint64_t reserved) noexcept {
  scratch = pages();
  if (!is_on_disk()) {
    if (filled == 0) return sorted_keys(std::span<const key>());
    const auto all = keys_of(buffer).first(filled);
    if (all.size_bytes() + reserved <= limit)
      return sorted_keys(std::span<const key>(all), limit - all.size_bytes() - reserved);
    // Together they would not fit.
    if (auto ok = sorted_file.append(all); !ok) {
      broken = ok.error();
      return *broken;
    }
    spilled += filled;
    spooled = filled;
    filled = 0;
    buffer = pages();
  }
  // A quarter is enough for what is read ahead: the rest is the builder's.
  const std::uint64_t rest = reserved < limit ? limit - reserved : 0;
  const std::uint64_t most =
      std::min(rest / 2, std::max<std::uint64_t>(usual_read_buffer, rest / 4));
  const std::uint64_t used =
      std::max<std::uint64_t>(min_read_buffer, std::min(most, distinct * sizeof(key)));
  auto made = pages::make(static_cast<std::size_t>(used));
  if (!made) return made.error();
  read_buffer = *std::move(made);
  mapping = pages();
  first = last = 0;
  next = 0;
  return sorted_keys(
      distinct, this,
      [](void* context, std::uint64_t end) noexcept {
        return static_cast<state*>(context)->take_below(end);
      },
      rest > used ? rest - used : 0);
}

result<std::span<const key>> key_spool::state::take_below(std::uint64_t end) noexcept {
  mapping = pages();
  const auto room = keys_of(read_buffer);
  const std::size_t step = std::min(max_step, room.size() / 2);
  for (;;) {
    const auto held = room.subspan(first, last - first);
    const bool is_whole =
        next == distinct || (end != 0 && !held.empty() && held.back().bits() >= end);
    if (is_whole) {
      const std::span<const key> taken = held.first(count_below(held, end));
      first += taken.size();
      const double part =
          static_cast<double>(next - (last - first)) / static_cast<double>(distinct);
      report(spooled, static_cast<std::uint64_t>(part * static_cast<double>(spooled)));
      return taken;
    }
    if (held.size() == room.size()) return take_mapped(end);
    if (held.empty() || room.size() - last < step) {
      std::memmove(static_cast<void*>(room.data()), held.data(), held.size_bytes());
      first = 0;
      last = held.size();
    }
    const auto more = room.subspan(last).first(static_cast<std::size_t>(
        std::min<std::uint64_t>({step, room.size() - last, distinct - next})));
    if (auto ok = sorted_file.read(next, more); !ok) return ok.error();
    next += more.size();
    last += more.size();
  }
}

// The system reads what is touched, and takes it back when memory is short.
result<std::span<const key>> key_spool::state::take_mapped(std::uint64_t end) noexcept {
  auto mapped = sorted_file.map();
  if (!mapped) return mapped.error();
  mapping = *std::move(mapped);
  const std::uint64_t begin = next - (last - first);
  const auto rest = keys_of(mapping).subspan(static_cast<std::size_t>(begin));
  const std::span<const key> taken = rest.first(count_below(rest, end));
  next = begin + taken.size();
  first = last = 0;
  return taken;
}

}  // namespace bloomery::inline v1
