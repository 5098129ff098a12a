#include "key_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <vector>

#include "command.hpp"
#include "utf16.hpp"

namespace bloomery::cli {
namespace {

using enum key_type::shape;

constexpr std::array table{
    key_type{"bytes", bytes},
    key_type{"str", text},
    key_type{"utf16", utf16},
    key_type{"i32", integer, 4, true},
    key_type{"i64", integer, 8, true},
    key_type{"u32", integer, 4, false},
    key_type{"u64", integer, 8, false},
    key_type{"i32be", integer, 4, true, true},
    key_type{"i64be", integer, 8, true, true},
    key_type{"u32be", integer, 4, false, true},
    key_type{"u64be", integer, 8, false, true},
    key_type{"f32", real, 4},
    key_type{"f64", real, 8},
};

std::string names() {
  std::vector<std::string_view> all;
  for (const key_type& t : table) all.push_back(t.name);
  return fmt::format("{}", fmt::join(all, " "));
}

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, ec] = std::from_chars(text.data(), end, value);
  if (ec != std::errc{} || rest != end) return std::nullopt;
  return value;
}

// The bits of a number, widened to 64.
template <class T>
std::optional<std::uint64_t> bits_of(std::string_view text) {
  const auto value = parse<T>(text);
  if (!value) return std::nullopt;
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(*value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(*value);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(*value));
  else
    return *value;
}

std::optional<std::uint64_t> number(const key_type& type, std::string_view text) {
  const bool narrow = type.width == 4;
  if (type.of == real) return narrow ? bits_of<float>(text) : bits_of<double>(text);
  if (type.is_signed)
    return narrow ? bits_of<std::int32_t>(text) : bits_of<std::int64_t>(text);
  return narrow ? bits_of<std::uint32_t>(text) : bits_of<std::uint64_t>(text);
}

}  // namespace

const std::string key_type_help =
    "what keys are: " + names() + " (default: bytes; be: big-endian)";

const key_type& key_type_named(std::string_view name) {
  const auto* found = std::ranges::find(table, name, &key_type::name);
  if (found != table.end()) return *found;
  throw failure(fmt::format("unknown key type '{}'; there are: {}", name, names()));
}

std::size_t key_encoding::room_for(std::string_view text) const {
  return type->of == utf16 ? 2 * text.size() : width;
}

bool key_encoding::append(std::string_view text, std::string& bytes) const {
  if (type->of == utf16) return append_utf16(text, bytes);
  const auto value = number(*type, text);
  if (!value) return false;
  for (unsigned i = 0; i < width; ++i) {
    const unsigned byte = type->big_endian ? width - 1 - i : i;
    bytes.push_back(static_cast<char>(*value >> (8 * byte)));
  }
  return true;
}

// Owners that take integers widen them; Rust, which also knows text, hashes the bytes of
// the type it was given.
key_choice choose_key(const key_type& type, const dialect_facts& facts) {
  key_choice c{{&type, type.width}, key_form::bytes};
  if (type.of == text && facts.texts) c.form = key_form::text;
  if (type.of == integer && !type.big_endian && facts.integers) {
    c.form = key_form::integer;
    if (!facts.texts) c.encoding.width = 8;
  }
  return c;
}

}  // namespace bloomery::cli
