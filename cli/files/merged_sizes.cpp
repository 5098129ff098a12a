#include "files/merged_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text/messages.hpp"

namespace bloomery::cli {
namespace {

// Names beyond these are counted.
constexpr std::size_t max_named = 3;

// 6423001 -> 6500000: two digits, not fewer keys.
std::uint64_t rounded_up(std::uint64_t n) {
  std::uint64_t step = 1;
  while (n / step >= 100) step *= 10;
  return (n + step - 1) / step * step;
}

}  // namespace

void merged_sizes::add(const loaded_filter& f) {
  part p = std::visit(
      [&](const auto& any) {
        return part{f.path, any.size_in_bytes(), any.capacity(), 0,
                    0,      any.estimated_keys()};
      },
      f.filter);
  if (f.container) {
    p.keys = f.container->keys;
    p.asked_fpr = f.container->asked_fpr;
  }
  parts_.push_back(std::move(p));
}

void merged_sizes::fold(double rate_of_union, double rate_of_part) {
  is_folded_ = true;
  // What was folded before had a lower rate before that.
  if (rate_before_ == 0) rate_before_ = rate_of_union;
  rate_before_ = std::max(rate_before_, rate_of_part);
}

std::size_t merged_sizes::common_size() const {
  for (const part& p : parts_)
    if (2 * std::ranges::count(parts_, p.bytes, &part::bytes) > std::ssize(parts_))
      return p.bytes;
  return 0;
}

std::string merged_sizes::odd_ones() const {
  const std::size_t common = common_size();
  std::vector<std::string> odd;
  for (const part& p : parts_)
    if (p.bytes != common) odd.push_back(fmt::format("{} ({})", p.path, size(p.bytes)));
  const std::size_t others = parts_.size() - odd.size();
  const std::size_t unnamed = odd.size() > max_named ? odd.size() - max_named : 0;
  odd.resize(odd.size() - unnamed);
  if (unnamed != 0) odd.push_back(fmt::format("{} more", unnamed));
  if (common != 0) odd.push_back(fmt::format("the {} others ({})", others, size(common)));
  const std::string last = odd.back();
  odd.pop_back();
  return fmt::format("{} and {}", fmt::join(odd, ", "), last);
}

// Options are recorded in containers only.
std::string merged_sizes::advice() const {
  const std::size_t common = common_size();
  if (common != 0) {
    const part& like = *std::ranges::find(parts_, common, &part::bytes);
    const auto odd = static_cast<std::size_t>(
        std::ranges::count_if(parts_, [&](const part& p) { return p.bytes != common; }));
    const part& first =
        *std::ranges::find_if(parts_, [&](const part& p) { return p.bytes != common; });
    const std::string which = odd == 1 ? first.path : fmt::format("these {}", odd);
    if (like.capacity == 0)
      return fmt::format("build {} with the options of {}", which, like.path);
    return fmt::format(
        "build {} with --capacity {}{}", which, like.capacity,
        like.asked_fpr > 0 ? fmt::format(" --fpr {:g}", like.asked_fpr) : std::string());
  }
  std::uint64_t keys = 0;
  for (const part& p : parts_) keys += p.keys != 0 ? p.keys : p.capacity;
  return keys == 0 ? "build all with the same --capacity, enough for their union"
                   : fmt::format(
                         "build all with the same --capacity, enough for their "
                         "union, as in --capacity {}",
                         rounded_up(keys));
}

std::uint64_t merged_sizes::capacity() const {
  double keys = 0;
  for (const part& p : parts_)
    keys += p.keys != 0                       ? static_cast<double>(p.keys)
            : std::isfinite(p.estimated_keys) ? p.estimated_keys
                                              : static_cast<double>(p.capacity);
  return rounded_up(static_cast<std::uint64_t>(std::clamp(1.05 * keys, 1.0, 1e15)));
}

const merged_sizes::part* merged_sizes::common_part() const {
  const std::size_t common = common_size();
  if (common == 0) return nullptr;
  const auto like = std::ranges::find(parts_, common, &part::bytes);
  return like->capacity != 0 ? &*like : nullptr;
}

std::uint64_t merged_sizes::advised_capacity() const {
  const part* const like = common_part();
  return like != nullptr ? like->capacity : capacity();
}

double merged_sizes::advised_fpr() const {
  const part* const like = common_part();
  return like != nullptr ? like->asked_fpr : asked_fpr();
}

std::string merged_sizes::refusal(std::size_t bytes, double now,
                                  const std::string& command) const {
  return fmt::format(
      "refused: {} differ in size: folded to {} the union would have a rate of {}, where "
      "the parts have {} at most; {}: {}; or --force",
      odd_ones(), size(bytes), rate(now), rate(rate_before_), advice(), command);
}

}  // namespace bloomery::cli
