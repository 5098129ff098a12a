// Window filters: the share of each generation.
#include <bloomery/detail/kind/window/sizing.hpp>

#include <cmath>

#include <bloomery/detail/kind/block/sizing.hpp>

namespace bloomery::inline v1 {
namespace {

result<void> check_generations(unsigned generations) noexcept {
  if (!window_shape{.one = {}, .generations = generations}.has_generations())
    return error{errc::invalid_argument, "a window has 2 to 1024 generations", 0,
                 static_cast<double>(generations), 4};
  return {};
}
error too_many(const window_shape& s) noexcept {
  return {
      errc::too_large, "more blocks than a filter can have", 0,
      static_cast<double>(s.one.blocks) * s.generations *
          static_cast<double>(s.one.block_bytes()),
      static_cast<double>(s.one.max_blocks()) * static_cast<double>(s.one.block_bytes())};
}

// The error of one generation, with the sizes of all of them.
error of_all(error e, unsigned generations) noexcept {
  if (e.code == errc::too_large) e.asked *= generations;
  // `possible` is then the smallest memory.
  if (e.code == errc::invalid_argument) e.possible *= generations;
  return e;
}

}  // namespace

result<window_shape> size_window_by_rate(std::uint64_t keys, double fpr,
                                         unsigned generations,
                                         block_profile profile) noexcept {
  if (auto ok = check_generations(generations); !ok) return ok.error();
  // Each: the generations-th root of what all leave.  Rates outside (0, 1) go through,
  // for the error of block filters.
  const double each =
      fpr > 0 && fpr < 1 ? -std::expm1(std::log1p(-fpr) / generations) : fpr;
  const std::uint64_t share = generation_share(keys, generations);
  const auto one = size_blocks_by_rate(share, each, profile);
  if (!one) return of_all(one.error(), generations);
  const window_shape s{*one, generations, share};
  if (auto ok = check_window_shape(s); !ok) return ok.error();
  return s;
}

result<window_shape> size_window_by_memory(std::uint64_t keys, std::uint64_t bytes,
                                           unsigned generations,
                                           block_profile profile) noexcept {
  if (auto ok = check_generations(generations); !ok) return ok.error();
  const std::uint64_t share = generation_share(keys, generations);
  const auto one = size_blocks_by_memory(share, bytes / generations, profile);
  if (!one) return of_all(one.error(), generations);
  const window_shape s{*one, generations, share};
  if (auto ok = check_window_shape(s); !ok) return ok.error();
  return s;
}

result<void> check_window_shape(const window_shape& s) noexcept {
  if (auto ok = check_generations(s.generations); !ok) return ok;
  if (!s.has_profile())
    return error{errc::invalid_argument,
                 "a window has blocks of a half line, a line or two lines"};
  if (s.one.blocks == 0)
    return error{errc::invalid_argument, "a generation needs at least one block", 0, 0,
                 1};
  if (!s.has_blocks()) return too_many(s);
  return {};
}

}  // namespace bloomery::inline v1
