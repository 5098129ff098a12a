// Options by name: set in a request, and checked against a kind.  The only place where a
// kind refuses an option, with the same sentence for the tool, C and Python.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

#include <bloomery/kinds.hpp>

namespace bloomery::inline v1 {
namespace {

// Sentences that errors may point to: written once, and kept for the life of the program.
class sentence {
 public:
  void add(std::string_view more) noexcept {
    const std::size_t n = std::min(more.size(), text_.size() - 1 - size_);
    std::copy_n(more.data(), n, text_.data() + size_);
    size_ += n;
  }
  void add(double number) noexcept {
    std::array<char, 32> digits;
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    add({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  // "a, b or c": the i-th of n
  void separate(std::size_t i, std::size_t n, std::string_view last) noexcept {
    if (i != 0) add(i + 1 == n ? last : ", ");
  }
  const char* text() const noexcept { return text_.data(); }

 private:
  std::array<char, 240> text_{};
  std::size_t size_ = 0;
};

bool has_option(const kind_info& k, std::string_view name) noexcept {
  return std::ranges::any_of(k.options,
                             [&](const kind_option& o) { return name == o.name; });
}

sentence kinds_with(std::string_view option) noexcept {
  sentence s;
  const auto having = static_cast<std::size_t>(std::ranges::count_if(
      kinds(), [&](const kind_info& k) { return has_option(k, option); }));
  s.add(having == 1 ? "only the kind " : "only the kinds ");
  std::size_t i = 0;
  for (const kind_info& k : kinds()) {
    if (!has_option(k, option)) continue;
    s.separate(i++, having, " and ");
    s.add(k.facts.name);
  }
  s.add(having == 1 ? " has the option " : " have the option ");
  s.add(option);
  return s;
}

sentence values_of(const kind_option& o) noexcept {
  sentence s;
  s.add("the option ");
  s.add(o.name);
  s.add(" takes ");
  for (std::size_t i = 0; i < o.choices.size(); ++i) {
    s.separate(i, o.choices.size(), " or ");
    s.add(o.choices[i].name);
  }
  if (!o.choices.empty()) return s;
  if (o.type == option_type::flag) {
    s.add("true or false");
    return s;
  }
  s.add(o.type == option_type::count ? "a whole number" : "a number");
  if (o.max < 0x1p64) {
    s.add(" from ");
    s.add(o.min);
    s.add(" to ");
    s.add(o.max);
  } else if (o.min > 0) {
    s.add(", at least ");
    s.add(o.min);
  }
  return s;
}

// The sentences of every option, in the order of all rows.
constexpr std::size_t max_rows = 64;
struct sentences {
  std::array<const kind_option*, max_rows> of{};
  std::array<sentence, max_rows> kinds, values;
  std::size_t size = 0;

  sentences() noexcept {
    for (const kind_info& k : bloomery::kinds())
      for (const kind_option& o : k.options) {
        if (size == max_rows) return;
        of[size] = &o;
        kinds[size] = kinds_with(o.name);
        values[size++] = values_of(o);
      }
  }
  std::size_t at(const kind_option& o) const noexcept {
    return static_cast<std::size_t>(std::ranges::find(of, &o) - of.begin());
  }
};

const sentences& all_sentences() noexcept {
  static const sentences all;
  return all;
}

error lacking(const option_setting& s) noexcept {
  const kind_option& o = *find_option(s.option->name);
  return {errc::unsupported, all_sentences().kinds[all_sentences().at(o)].text(), 0,
          s.number()};
}
error refused(const kind_option& o, double value) noexcept {
  return {o.refusal, all_sentences().values[all_sentences().at(o)].text(), 0, value,
          o.choices.empty() ? std::min(o.max, 0x1p64) : 0};
}

// The preset of a name: the sizing chooses.
constexpr std::string_view by_rate = "by-rate";

bool can_have(const kind_option& o, const option_setting& s) noexcept {
  if (o.type == option_type::name && s.value == o.preset) return true;
  if (!o.choices.empty())
    return std::ranges::any_of(
        o.choices, [&](const option_choice& c) { return c.value == s.value; });
  if (o.type == option_type::flag) return s.value <= 1;
  return s.number() >= o.min && s.number() <= o.max;
}

result<void> put(size_request& r, const kind_option& o, std::uint64_t value) noexcept {
  if (!r.options.set(o, value))
    return error{errc::invalid_argument, "more options than a filter has"};
  return {};
}

result<const kind_option*> named(std::string_view name) noexcept {
  if (const kind_option* const o = find_option(name)) return o;
  return error{errc::invalid_argument, "no kind of filter has an option of that name"};
}

// All of the text, and nothing else.
template <class Number>
bool read_number(std::string_view text, Number& n) noexcept {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  return failed == std::errc() && end == text.data() + text.size();
}

}  // namespace

const kind_option* find_option(std::string_view name) noexcept {
  for (const kind_info& k : kinds())
    for (const kind_option& o : k.options)
      if (name == o.name) return &o;
  return nullptr;
}

result<void> set_option(size_request& r, std::string_view name,
                        std::uint64_t value) noexcept {
  const auto found = named(name);
  if (!found) return found.error();
  const kind_option& o = **found;
  if (o.type == option_type::real) return set_option(r, name, static_cast<double>(value));
  if (o.type != option_type::count) return refused(o, static_cast<double>(value));
  // 0 stands for the preset: of one that is 0, it is no setting at all.
  if (value == 0 && o.preset == 0) return {};
  return put(r, o, value == 0 ? o.preset : value);
}

result<void> set_option(size_request& r, std::string_view name, double value) noexcept {
  const auto found = named(name);
  if (!found) return found.error();
  const kind_option& o = **found;
  if (o.type != option_type::real) return refused(o, value);
  if (value == 0) return {};
  return put(r, o, std::bit_cast<std::uint64_t>(value));
}

result<void> set_option(size_request& r, std::string_view name, bool value) noexcept {
  const auto found = named(name);
  if (!found) return found.error();
  const kind_option& o = **found;
  if (o.type != option_type::flag) return refused(o, value);
  return value ? put(r, o, 1) : result<void>();
}

result<void> set_option(size_request& r, std::string_view name,
                        std::string_view text) noexcept {
  const auto found = named(name);
  if (!found) return found.error();
  const kind_option& o = **found;
  std::uint64_t count = 0;
  double real = 0;
  switch (o.type) {
    case option_type::count:
      if (!read_number(text, count)) return refused(o, 0);
      return set_option(r, name, count);
    case option_type::real:
      if (!read_number(text, real)) return refused(o, 0);
      return set_option(r, name, real);
    case option_type::flag:
      if (text != "true" && text != "false") return refused(o, 0);
      return set_option(r, name, text == "true");
    case option_type::name:
      break;
  }
  if (text == by_rate) return put(r, o, o.preset);
  // Kinds may differ in the choices they have, not in what a choice means.
  for (const kind_info& k : kinds())
    for (const kind_option& other : k.options)
      for (const option_choice& c : other.choices)
        if (name == other.name && text == c.name) return put(r, o, c.value);
  return refused(o, 0);
}

result<void> check_options(const kind_info& kind,
                           const option_settings& options) noexcept {
  for (const option_setting& s : options) {
    const auto own = std::ranges::find_if(kind.options, [&](const kind_option& o) {
      return std::string_view(o.name) == s.option->name;
    });
    if (own == kind.options.end()) return lacking(s);
    if (!can_have(*own, s)) return refused(*own, s.number());
  }
  return {};
}

}  // namespace bloomery::inline v1
