// What filters of other systems are, and the table of dialects.
#include <algorithm>
#include <cstring>

#include "foreign.hpp"
#include "info.hpp"
#include "keys.hpp"

using namespace bloomery::c_abi;
using bloomery::errc;
using bloomery::number_keys;
using bloomery::result;

namespace {

static_assert(static_cast<int>(number_keys::zero_extended) ==
              BLOOMERY_NUMBERS_ZERO_EXTENDED);
static_assert(static_cast<int>(bloomery::likeness::certain) == 2);

// Copies as much of `text` as fits, and a terminating zero.
template <std::size_t N>
void put(char (&to)[N], std::string_view text) noexcept {
  const std::size_t n = std::min(N - 1, text.size());
  std::memcpy(to, text.data(), n);
  to[n] = '\0';
}

}  // namespace

std::size_t bloomery_dialect_count() { return bloomery::dialect_count(); }

bloomery_status bloomery_dialect_at(std::size_t i, bloomery_dialect* dialect) {
  return fill_struct(dialect, nullptr, [&]() -> result<bloomery_dialect> {
    if (i >= bloomery::dialect_count())
      return bloomery::error{errc::invalid_argument, "no dialect of that number"};
    // The strings of the table are literals, so they end with a zero.
    const auto d = bloomery::dialect_at(i);
    return bloomery_dialect{0,
                            d.writes,
                            d.name.data(),
                            d.summary.data(),
                            d.hash.data(),
                            d.variants.data(),
                            d.needs.data(),
                            static_cast<std::uint32_t>(d.integers),
                            d.texts,
                            d.signed_seed,
                            d.any_bytes};
  });
}

int bloomery_dialect_could_be(std::size_t i, const void* data, std::size_t size) {
  if (i >= bloomery::dialect_count() || !is_readable(data, size)) return wrong_call;
  return static_cast<int>(
      bloomery::could_be(i, std::as_bytes(std::span(text_of(data, size)))));
}

bloomery_status bloomery_foreign_info(const bloomery_foreign* filter, std::uint32_t parts,
                                      bloomery_foreign_facts* info) {
  return fill_struct(info, nullptr, [&]() -> result<bloomery_foreign_facts> {
    if (filter == nullptr) return null_argument();
    if (auto ok = check_parts(parts); !ok) return ok.error();
    const auto& f = filter->filter;
    bloomery_foreign_facts to{};
    to.hashes = f.hashes();
    to.dialect = f.dialect().data();
    put(to.variant, f.variant());
    put(to.hash, f.hash());
    to.bits = f.bits();
    to.seed = f.seed();
    to.capacity = f.capacity();
    to.parts = f.parts();
    to.size_in_bytes = f.size_in_bytes();
    const bool counts = (parts & BLOOMERY_INFO_COUNTS) != 0;
    to.fill = counts ? f.fill() : unknown;
    to.estimated_keys = counts ? f.estimated_keys() : unknown;
    to.realised_fpr = (parts & BLOOMERY_INFO_RATES) != 0 ? f.realised_fpr() : unknown;
    to.damaged_chunks = filter->damaged_chunks;
    return to;
  });
}

bloomery_status bloomery_foreign_part_at(const bloomery_foreign* filter, std::uint64_t i,
                                         bloomery_foreign_part* part) {
  return fill_struct(part, nullptr, [&]() -> result<bloomery_foreign_part> {
    if (filter == nullptr) return null_argument();
    if (i >= filter->filter.parts())
      return bloomery::error{errc::invalid_argument, "there is no part of that number"};
    const auto p = filter->filter.part(i);
    bloomery_foreign_part to{0, p.hashes, p.offset, p.length, p.bits, {}};
    static_assert(sizeof to.name == sizeof p.name);
    std::memcpy(to.name, p.name, sizeof to.name);
    return to;
  });
}
