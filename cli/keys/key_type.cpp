#include "keys/key_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "keys/utf16.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

using enum key_type::shape;

using enum key_type::sign;
using ks = key_source;

// Then the sources themselves, by the names that files have for them.
constexpr std::array table{
    key_type{"bytes", bytes},
    key_type{"str", text},
    key_type{"utf16", utf16, ks::utf16},
    key_type{"i32", integer, ks::int32, 4, negative_too},
    key_type{"i64", integer, ks::integers, 8, negative_too},
    key_type{"u32", integer, ks::int32, 4},
    key_type{"u64", integer, ks::integers, 8},
    key_type{"i32be", integer, ks::int32be, 4, negative_too, true},
    key_type{"i64be", integer, ks::int64be, 8, negative_too, true},
    key_type{"u32be", integer, ks::int32be, 4, none, true},
    key_type{"u64be", integer, ks::int64be, 8, none, true},
    key_type{"f32", real, ks::float32, 4},
    key_type{"f64", real, ks::float64, 8},
    key_type{"integers", integer, ks::integers, 8, either},
    key_type{"hashes", integer, ks::hashes, 8},
    key_type{"int32", integer, ks::int32, 4, either},
    key_type{"int32be", integer, ks::int32be, 4, either, true},
    key_type{"int64be", integer, ks::int64be, 8, either, true},
    key_type{"float32", real, ks::float32, 4},
    key_type{"float64", real, ks::float64, 8},
};

std::string names() { return fmt::format("{}", fmt::join(names_of_key_types(), " ")); }

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, ec] = std::from_chars(text.data(), end, value);
  if (ec != std::errc{} || rest != end) return std::nullopt;
  return value;
}

// The bits of an integer, widened to 64 by its sign.
template <class T>
std::optional<std::uint64_t> integer_bits(std::string_view text) {
  const auto value = parse<T>(text);
  return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<std::uint64_t> integer_of(const key_type& type, std::string_view text) {
  const bool narrow = type.width == 4;
  if (type.range != none) {
    const auto value =
        narrow ? integer_bits<std::int32_t>(text) : integer_bits<std::int64_t>(text);
    if (value || type.range == negative_too) return value;
  }
  return narrow ? integer_bits<std::uint32_t>(text) : integer_bits<std::uint64_t>(text);
}

template <class T>
std::optional<double> real_value(std::string_view text) {
  const auto value = parse<T>(text);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// A number as bytes: the low `width` of `bits`.
struct encoded {
  std::uint64_t bits;
  unsigned width;
};

bool takes_doubles(number_keys rule) {
  return rule == number_keys::sign_extended_reals || rule == number_keys::zero_extended;
}

std::optional<encoded> encode_real(const key_type& type, number_keys rule,
                                   std::string_view text) {
  const auto value = type.width == 4 ? real_value<float>(text) : real_value<double>(text);
  if (!value) return std::nullopt;
  const double x = *value;
  if (rule == number_keys::sign_extended_reals && x == 0) return encoded{0, 8};
  if (rule == number_keys::sign_extended_reals && std::isnan(x))
    return encoded{0x7ff8000000000000, 8};
  if (type.width == 8 || takes_doubles(rule))
    return encoded{std::bit_cast<std::uint64_t>(x), 8};
  return encoded{std::bit_cast<std::uint32_t>(static_cast<float>(x)), 4};
}

std::optional<encoded> encode_integer(const key_type& type, number_keys rule,
                                      std::string_view text) {
  const auto value = integer_of(type, text);
  if (!value) return std::nullopt;
  if (type.big_endian) return encoded{*value, type.width};
  switch (rule) {
    case number_keys::sign_extended:
    case number_keys::sign_extended_reals:
      return encoded{*value, 8};
    case number_keys::zero_extended:
      return encoded{type.width == 4 ? *value & 0xffffffff : *value, 8};
    case number_keys::plain:
    case number_keys::own_width:
    case number_keys::column_width:
      break;
  }
  return encoded{*value, type.width};
}

}  // namespace

const std::string key_type_help =
    "type of the keys: " + names() +
    " (default: as the file says, or bytes; be: big-endian)";

std::vector<std::string> names_of_key_types() {
  std::vector<std::string> all;
  for (const key_type& t : table) all.emplace_back(t.name);
  return all;
}

const key_type& key_type_named(std::string_view name) {
  const auto* found = std::ranges::find(table, name, &key_type::name);
  if (found != table.end()) return *found;
  throw failure(fmt::format("unknown key type '{}'; there are: {}", name, names()));
}

std::size_t key_encoding::room_for(std::string_view text) const {
  return type->of == utf16 ? 2 * text.size() : sizeof(std::uint64_t);
}

bool key_encoding::append(std::string_view text, std::string& bytes) const {
  if (type->of == utf16) return append_utf16(text, bytes);
  const auto number = type->of == real ? encode_real(*type, rule, text)
                                       : encode_integer(*type, rule, text);
  if (!number) return false;
  for (unsigned i = 0; i < number->width; ++i) {
    const unsigned byte = type->big_endian ? number->width - 1 - i : i;
    bytes.push_back(static_cast<char>(number->bits >> (8 * byte)));
  }
  return true;
}

key_choice choose_key(const key_type& type, const dialect_facts& facts) {
  key_choice c{{&type, facts.integers}, key_form::bytes};
  if (type.of == text && facts.texts) c.form = key_form::text;
  const bool is_number =
      (type.of == integer && !type.big_endian && facts.integers != number_keys::plain) ||
      (type.of == real && takes_doubles(facts.integers));
  if (is_number) c.form = key_form::integer;
  return c;
}

// A file of columns shortens numbers itself, to the width of each.
key_encoding fitted(key_encoding to_facts, const foreign_filter& filter) {
  if (to_facts.rule == number_keys::column_width && has_named_parts(filter))
    to_facts.rule = number_keys::sign_extended;
  return to_facts;
}

bool has_named_parts(const foreign_filter& filter) {
  return filter.parts() > 1 ||
         (filter.parts() == 1 && filter.part(0).name != filter.variant());
}

}  // namespace bloomery::cli
