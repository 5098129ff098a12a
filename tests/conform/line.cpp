#include "line.hpp"

#include <charconv>
#include <cstring>
#include <sstream>

#include "hex.hpp"

namespace bloomery::conform {
namespace {

template <class Number>
Number parsed(const std::string& text, int base) {
  Number n{};
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, n, base);
  if (problem != std::errc{} || stop != end) throw bad_script("no number: " + text);
  return n;
}

std::uint64_t parsed_seed(const std::string& hex) {
  if (hex.size() != 16) throw bad_script("no 16 digits: " + hex);
  return parsed<std::uint64_t>(hex, 16);
}

bool is_option(const std::string& word) {
  // Keys have a colon or a bracket before any equals sign.
  const auto equals = word.find('=');
  return equals != std::string::npos && word.find_first_of(":[") > equals;
}

// PREFIX[A..B]
std::vector<script_key> parse_range(const std::string& word) {
  const auto open = word.find('['), dots = word.find("..");
  if (open == std::string::npos || dots == std::string::npos || dots < open ||
      word.back() != ']')
    throw bad_script("no key: " + word);
  const auto first = parsed<std::uint64_t>(word.substr(open + 1, dots - open - 1), 10);
  const auto last =
      parsed<std::uint64_t>(word.substr(dots + 2, word.size() - dots - 3), 10);
  std::vector<script_key> out;
  for (std::uint64_t i = first; i <= last; ++i)
    out.emplace_back(word.substr(0, open) + std::to_string(i));
  return out;
}

std::string pattern(std::uint64_t length) {
  std::string out(length, '\0');
  for (std::size_t i = 0; i < length; ++i) out[i] = static_cast<char>(i % 251);
  return out;
}

}  // namespace

const std::string& line::word(std::size_t i) const {
  if (i >= words.size()) throw bad_script("an argument is missing");
  return words[i];
}
std::uint64_t line::number(std::size_t i) const {
  return parsed<std::uint64_t>(word(i), 10);
}
const std::string& line::option(const std::string& name) const {
  const auto at = options.find(name);
  if (at == options.end()) throw bad_script("an option is missing: " + name);
  return at->second;
}
std::uint64_t line::number(const std::string& name) const {
  return parsed<std::uint64_t>(option(name), 10);
}
std::uint64_t line::number_or(const std::string& name, std::uint64_t otherwise) const {
  return has(name) ? number(name) : otherwise;
}
std::optional<key_source> line::source() const {
  if (!has("source")) return key_source::bytes;
  if (option("source") == "any") return std::nullopt;
  const auto named = find_key_source(option("source"));
  if (!named) throw bad_script("no such source: " + option("source"));
  return named;
}

double line::real(const std::string& name) const {
  const std::string& text = option(name);
  std::istringstream in(text);
  double x = 0;
  if (!(in >> x) || !in.eof()) throw bad_script("no real number: " + text);
  return x;
}
std::vector<script_key> line::keys(std::size_t i) const {
  word(i);
  std::vector<script_key> out;
  for (; i < words.size(); ++i)
    for (script_key& k : parse_keys(words[i])) out.push_back(std::move(k));
  return out;
}

line parse(std::string_view text) {
  line out;
  std::istringstream in{std::string(text)};
  for (std::string word; std::getline(in, word, ' ');) {
    if (word.empty()) throw bad_script("words are separated by one blank");
    if (is_option(word))
      out.options[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    else
      out.words.push_back(word);
  }
  return out;
}

std::vector<script_key> parse_keys(const std::string& word) {
  const std::string rest = word.size() < 2 ? "" : word.substr(2);
  if (word.starts_with("t:")) return {rest};
  if (word.starts_with("x:")) return {parse_hex(rest)};
  if (word.starts_with("p:")) return {pattern(parsed<std::uint64_t>(rest, 10))};
  if (word.starts_with("u:")) return {parsed<std::uint64_t>(rest, 10)};
  if (word.starts_with("h:")) return {key::from_bits(parsed_seed(rest))};
  return parse_range(word);
}

hasher parse_hasher(const std::string& word) {
  const auto colon = word.find(':');
  const std::string name = word.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : word.substr(colon + 1);
  if (name == "xxh3") return hasher::xxh3(rest.empty() ? 0 : parsed_seed(rest));
  if (name == "xxh64") return hasher::xxh64(rest.empty() ? 0 : parsed_seed(rest));
  if (name == "siphash13") return hasher::siphash13(parse_secret(rest));
  if (word == "fnv1a-splitmix") return hasher::fnv1a_splitmix();
  throw bad_script("no hasher: " + word);
}

hasher::secret parse_secret(const std::string& hex) {
  const std::string bytes = parse_hex(hex);
  hasher::secret out;
  if (bytes.size() != sizeof out) throw bad_script("a secret has 16 bytes");
  std::memcpy(&out, bytes.data(), sizeof out);
  return out;
}

std::string parse_hex(std::string_view hex) {
  try {
    const auto bytes = testing::from_hex(hex);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } catch (const std::exception&) {
    throw bad_script("not hexadecimal");
  }
}

}  // namespace bloomery::conform
