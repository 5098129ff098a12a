#include <algorithm>
#include <stdexcept>

#include "dialect_samples.hpp"

namespace bloomery::testing {
namespace {

std::size_t place_of(std::span<const std::byte> image, const header_field& f) {
  const auto at = f.at < 0 ? static_cast<std::ptrdiff_t>(image.size()) + f.at : f.at;
  if (at < 0 || static_cast<std::size_t>(at) + f.bytes > image.size())
    throw std::logic_error(std::string("no such field: ") + f.name);
  return static_cast<std::size_t>(at);
}

bool is_digit(std::byte b) { return b >= std::byte{'0'} && b <= std::byte{'9'}; }

std::size_t digits_at(std::span<const std::byte> image, std::size_t at) {
  std::size_t n = 0;
  while (at + n < image.size() && is_digit(image[at + n])) ++n;
  return n;
}

}  // namespace

std::uint64_t field_value(std::span<const std::byte> image, const header_field& f) {
  const std::size_t at = place_of(image, f);
  std::uint64_t v = 0;
  if (f.bytes == 0) {
    for (std::size_t i = 0; i < digits_at(image, at); ++i)
      v = 10 * v + (static_cast<std::uint64_t>(image[at + i]) - '0');
    return v;
  }
  for (unsigned i = 0; i < f.bytes; ++i)
    v |= static_cast<std::uint64_t>(image[at + i])
         << (8 * (f.big_endian ? f.bytes - 1 - i : i));
  return v;
}

std::vector<std::byte> with_field(const dialect_sample& s,
                                  std::span<const std::byte> image, const header_field& f,
                                  std::uint64_t value) {
  std::vector<std::byte> out(image.begin(), image.end());
  const std::size_t at = place_of(image, f);
  if (f.bytes == 0) {
    const auto first = out.begin() + static_cast<std::ptrdiff_t>(at);
    const auto rest =
        out.erase(first, first + static_cast<std::ptrdiff_t>(digits_at(image, at)));
    const std::string text = std::to_string(value);
    const auto digits = std::as_bytes(std::span(text));
    out.insert(rest, digits.begin(), digits.end());
  }
  for (unsigned i = 0; i < f.bytes; ++i)
    out[at + i] = static_cast<std::byte>(
        value >> (8 * (f.big_endian ? f.bytes - 1 - i : i)) & 0xff);
  if (s.repair != nullptr) s.repair(out);
  return out;
}

std::vector<std::uint64_t> hostile_values(std::uint64_t real, unsigned bytes) {
  const std::uint64_t most = bytes == 0 || bytes == 8
                                 ? ~std::uint64_t{0}
                                 : (std::uint64_t{1} << (8 * bytes)) - 1;
  std::vector<std::uint64_t> all{
      0, 1, most - 1, most, (real - 1) & most, (real + 1) & most};
  for (const unsigned power : {7u, 15u, 16u, 31u, 32u, 48u, 63u})
    if (const std::uint64_t v = std::uint64_t{1} << power; v <= most) all.push_back(v);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase(all, real);
  return all;
}

}  // namespace bloomery::testing
