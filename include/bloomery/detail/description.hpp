// What a kind of filter says about itself, as data: the options that size it and the
// fields that it reports.
//
//   for (const kind_option& o : find_kind("fuse")->options) print(o.name, o.help);
//   size_request r{.fpr = 0.01};
//   set_option(r, "arity", 4);                     // kinds.hpp
//   for_each_field(f, all_fields, [](const field_place& at, field_value v) { ... });
//
// The tool, the C and the Python interface and spec/kinds.json iterate over these tables:
// none of them knows an option or a field by name.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// --- options ---

enum class option_type : std::uint8_t {
  count,  // a whole number
  real,
  flag,
  name,  // one of the option's choices
};

// As in spec/kinds.json.
constexpr const char* name_of(option_type t) noexcept {
  constexpr const char* names[] = {"count", "real", "flag", "name"};
  return names[static_cast<std::size_t>(t)];
}

struct option_choice {
  const char* name;
  std::uint64_t value;
};

struct kind_option {
  const char* name;  // in C, Python and spec/kinds.json: "ribbon_width"
  option_type type;
  const char* help;  // what it does, in one line, without values and default
  // The values that a name may have, or a count with few values.
  std::span<const option_choice> choices = {};
  // The bounds of other numbers.
  double min = 0, max = std::numeric_limits<double>::infinity();
  // The value if it is not given: of a count or name the number, 0 for a name that the
  // sizing chooses; otherwise 0.
  std::uint64_t preset = 0;
  const char* preset_help = nullptr;      // where a number would not do: "by the rate"
  const char* tool_name = nullptr;        // where it is not `name` with '-' for '_'
  const char* unit = "";                  // that may follow the number in the tool: "x"
  errc refusal = errc::invalid_argument;  // of a value that it cannot have
};

// An option with its value: a count, the value of a choice, 0 or 1, or the bits of a
// real.
struct option_setting {
  const kind_option* option = nullptr;
  std::uint64_t value = 0;

  double real() const noexcept { return std::bit_cast<double>(value); }
  // The value as a number, for messages.
  double number() const noexcept {
    return option->type == option_type::real ? real() : static_cast<double>(value);
  }
};

// Settings of a request.  The last one of an option counts.
class option_settings {
 public:
  static constexpr std::size_t max_settings = 16;

  // False if there is no room for another.
  constexpr bool set(const kind_option& o, std::uint64_t value) noexcept {
    for (option_setting& s : std::span(all_).first(size_))
      if (is_same(*s.option, o)) return s = {&o, value}, true;
    if (size_ == max_settings) return false;
    all_[size_++] = {&o, value};
    return true;
  }
  // Null if it is not set.
  constexpr const option_setting* find(const kind_option& o) const noexcept {
    for (const option_setting& s : *this)
      if (is_same(*s.option, o)) return &s;
    return nullptr;
  }
  // What is set, or else the option's preset.
  constexpr std::uint64_t value(const kind_option& o) const noexcept {
    const option_setting* const s = find(o);
    return s != nullptr ? s->value : o.preset;
  }
  double real(const kind_option& o) const noexcept {
    return std::bit_cast<double>(value(o));
  }
  constexpr bool flag(const kind_option& o) const noexcept { return value(o) != 0; }

  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const option_setting* begin() const noexcept { return all_.data(); }
  constexpr const option_setting* end() const noexcept { return all_.data() + size_; }

 private:
  // Kinds may share an option: each has its own row of it.
  static constexpr bool is_same(const kind_option& a, const kind_option& b) noexcept {
    return std::string_view(a.name) == b.name;
  }
  std::array<option_setting, max_settings> all_{};
  std::size_t size_ = 0;
};

// --- fields ---

// What it takes to compute a field; combined with |.
enum class field_group : std::uint8_t {
  layout = 1,  // nothing: the header knows it
  counts = 2,  // reads every bit
  rates = 4,   // reads every bit; half a second for a small portable filter
};
using field_groups = unsigned;
inline constexpr field_groups all_fields = 7;
constexpr bool has(field_groups groups, field_group g) noexcept {
  return (groups & static_cast<unsigned>(g)) != 0;
}

// As in spec/kinds.json.
constexpr const char* name_of(field_group g) noexcept {
  return g == field_group::layout   ? "layout"
         : g == field_group::counts ? "counts"
                                    : "rates";
}

// What one filter has in a field.
struct field_value {
  enum class type : std::uint8_t { unknown, count, real, text };

  type what = type::unknown;
  std::uint64_t count = 0;
  double real = 0;             // may be infinite, or NaN for "unknown"
  const char* text = nullptr;  // a literal

  static constexpr field_value of(std::uint64_t n) noexcept {
    return {.what = type::count, .count = n};
  }
  static constexpr field_value of(double x) noexcept {
    return {.what = type::real, .real = x};
  }
  static constexpr field_value of(const char* s) noexcept {
    return {.what = type::text, .text = s};
  }
  static constexpr field_value unknown() noexcept { return {}; }
  // 0 stands for "not recorded".
  static constexpr field_value recorded(std::uint64_t n) noexcept {
    return n != 0 ? of(n) : unknown();
  }
};

struct kind_field {
  const char* name;  // "tag_bits"
  // "rate", "share" (of 1), "bytes", "keys", "number" (no quantity) ...; "": none
  const char* unit;
  const char* help;  // one line
  field_group group;
  // The columns of a field that is a table (levels, generations).
  std::span<const kind_field> columns = {};

  constexpr bool is_table() const noexcept { return !columns.empty(); }
};

// Which value: a field, or one of a table.
struct field_place {
  const kind_field* field;
  const kind_field* column = nullptr;  // of a table
  std::size_t row = 0;
};
using field_use = void (*)(void* context, const field_place& at, const field_value& v);

}  // namespace bloomery::inline v1
