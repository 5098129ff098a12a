// Verbs that compute and keep nothing: hashes, sizes, promises.
#include <bloomery/detail/sizing.hpp>

#include "hex.hpp"
#include "interpreter.hpp"

namespace bloomery::conform {

std::string interpreter::hash(const line& l) {
  const hasher h = parse_hasher(l.word(1));
  std::string out;
  for (const script_key& k : l.keys(2)) {
    if (!out.empty()) out += ' ';
    if (const auto* bytes = std::get_if<std::string>(&k))
      out += testing::to_hex(h.hash(std::string_view(*bytes)).bits());
    else if (const auto* x = std::get_if<std::uint64_t>(&k))
      out += testing::to_hex(h.of(key_source::integers).hash_u64(*x).bits());
    else
      throw bad_script("hash takes no h:");
  }
  return out;
}

std::string interpreter::check(const line& l) {
  return testing::to_hex(parse_hasher(l.word(1)).check());
}

std::string interpreter::size(const line& l) {
  const std::uint64_t keys = l.number("keys");
  const auto layout = l.has("fpr") ? size_by_rate(keys, l.real("fpr"))
                      : l.has("memory")
                          ? size_by_memory(keys, l.number("memory"))
                          : size_by_bits_per_key(keys, l.real("bits-per-key"));
  if (!layout) return shown(layout.error());
  return "bits=" + std::to_string(layout->bits) +
         " hashes=" + std::to_string(layout->hashes);
}

std::string interpreter::promise(const line& l) {
  const std::uint64_t keys = l.number("keys");
  const double fpr = l.real("fpr");
  const auto layout = size_by_rate(keys, fpr);
  if (!layout) return shown(layout.error());
  const portable_promise p = promise_of(*layout, keys, fpr);
  const char* verdict = p.is_kept() ? "kept" : p.is_refused(keys) ? "refused" : "warned";
  return std::string(verdict) + ' ' + shown(p.true_fpr);
}

}  // namespace bloomery::conform
