// Verbs on bytes: made, changed, written, read.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <bloomery/any_filter.hpp>

#include "base/crc32c.hpp"
#include "hex.hpp"
#include "interpreter.hpp"
#include "script_keys.hpp"

namespace bloomery::conform {
namespace {

std::string summary(const std::string& bytes) {
  char crc[9];
  std::snprintf(crc, sizeof crc, "%08x", base::crc32c(std::as_bytes(std::span(bytes))));
  return std::to_string(bytes.size()) + ' ' + crc;
}

std::string text_of(const pages& p) {
  return {reinterpret_cast<const char*>(p.data()), p.size()};
}

// The smallest distinct hashes of these keys, at most 8.
std::vector<key> sentinels_of(const hasher& h, const std::vector<script_key>& keys) {
  std::set<std::uint64_t> hashes;
  for (const script_key& k : keys) hashes.insert(hashed(h, k).bits());
  std::vector<key> out;
  for (const std::uint64_t v : hashes)
    if (out.size() < 8) out.push_back(key::from_bits(v));
  return out;
}

}  // namespace

std::string interpreter::keep_bytes(const std::string& name, std::string bytes) {
  const std::string said = summary(bytes);
  filters_.erase(name);
  bytes_[name] = std::move(bytes);
  return said;
}

std::string interpreter::encode(const line& l) {
  const any_filter& f = own_filter(l.word(2));
  if (find_form(l.word(3)) != nullptr) {
    if (!bare_size(f, l.word(3))) throw bad_script("a filter of another kind");
    const auto bytes = encode_bare(f, l.word(3));
    return bytes ? keep_bytes(l.word(1), text_of(*bytes)) : shown(bytes.error());
  }
  if (l.word(3) != "native") throw bad_script("no such form: " + l.word(3));
  std::vector<key> sentinels;
  if (l.has("sentinels")) {
    const auto keys = parse_keys(l.option("sentinels"));
    if (!takes(f.hasher(), keys)) return other_keys;
    sentinels = sentinels_of(f.hasher(), keys);
  }
  const write_notes notes{.asked_fpr = l.has("fpr") ? l.real("fpr") : 0,
                          .keys = l.number_or("keys", 0),
                          .sentinels = sentinels};
  return f.visit([&](const auto& own) {
    const auto bytes = encode_container(own, notes);
    return bytes ? keep_bytes(l.word(1), text_of(*bytes)) : shown(bytes.error());
  });
}

std::string interpreter::bytes(const line& l) {
  return keep_bytes(l.word(1), l.word(2) == "-" ? "" : parse_hex(l.word(2)));
}

std::string interpreter::show(const line& l) {
  const std::string& bytes = bytes_of(l.word(1));
  return bytes.empty() ? "-" : testing::to_hex(std::string_view(bytes));
}

std::string interpreter::flip(const line& l) {
  std::string& bytes = bytes_of(l.word(1));
  const std::uint64_t bit = l.number(2);
  if (bit / 8 >= bytes.size()) throw bad_script("no such bit");
  char& byte = bytes[bit / 8];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1u << (bit % 8)));
  return summary(bytes);
}

std::string interpreter::put(const line& l) {
  std::string& bytes = bytes_of(l.word(1));
  const std::uint64_t at = l.number(2);
  const std::string with = parse_hex(l.word(3));
  if (at > bytes.size() || with.size() > bytes.size() - at)
    throw bad_script("beyond the last byte");
  bytes.replace(at, with.size(), with);
  return summary(bytes);
}

std::string interpreter::cut(const line& l) {
  std::string& bytes = bytes_of(l.word(1));
  if (l.number(2) > bytes.size()) throw bad_script("beyond the last byte");
  bytes.resize(l.number(2));
  return summary(bytes);
}

std::string interpreter::add(const line& l) {
  std::string& bytes = bytes_of(l.word(1));
  bytes += parse_hex(l.word(2));
  return summary(bytes);
}

std::string interpreter::write(const line& l) {
  const std::string& bytes = bytes_of(l.word(1));
  std::ofstream out(std::filesystem::path(files_) / l.word(2), std::ios::binary);
  out << bytes;
  if (!out.flush()) throw bad_script("cannot write " + l.word(2));
  return "ok";
}

std::string interpreter::read(const line& l) {
  std::ifstream in(std::filesystem::path(files_) / l.word(2), std::ios::binary);
  if (!in) throw bad_script("cannot read " + l.word(2));
  return keep_bytes(l.word(1), {std::istreambuf_iterator<char>(in), {}});
}

}  // namespace bloomery::conform
