// Breaks filters whose hash is public, and fails on those that have a secret.
//
//   attack [--quick] [--keys N] [--json] [--secret HEX]
//
// Attacks by keys that were computed: chosen absent keys become false positives, queries
// pass, rates rise, blocks fill.  Then the same against SipHash-1-3, by an attacker who
// may also query.  docs/adversarial.md has the table and the conclusions.  Exit status 0
// if every public hash was broken and no keyed one was, otherwise 1; by chance, and with
// a random secret, less than once in ten million runs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <bloomery/hasher.hpp>

#include "adaptive.hpp"
#include "chosen_keys.hpp"
#include "leaks.hpp"
#include "must.hpp"
#include "report.hpp"
#include "subject.hpp"

namespace {

using attack::give_up;
using bloomery::hasher;

std::string hex_of(const hasher::secret& s) {
  std::string text;
  for (const std::byte b : s) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", std::to_integer<unsigned>(b));
    text += two;
  }
  return text;
}

hasher::secret secret_of(std::string_view hex) {
  hasher::secret s;
  if (hex.size() != 2 * s.size() || hex.find_first_not_of("0123456789abcdef") != hex.npos)
    give_up("--secret: 32 hex digits");
  for (std::size_t i = 0; i < s.size(); ++i)
    s[i] = static_cast<std::byte>(
        std::strtoul(std::string(hex.substr(2 * i, 2)).c_str(), nullptr, 16));
  return s;
}

// A second secret, and a seed: by the first, so that a run can be repeated.
std::uint64_t drawn(const hasher::secret& from, std::string_view what) {
  return hasher::siphash13(from).hash(what).bits();
}
hasher::secret another(const hasher::secret& from) {
  const std::uint64_t halves[]{drawn(from, "first half"), drawn(from, "second half")};
  hasher::secret s;
  std::memcpy(s.data(), halves, s.size());
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  attack::scale much{
      .keys = 100'000, .targets = 100, .queries = 10'000, .lookups = 1'000'000};
  bool json = false;
  hasher::secret secret = attack::must(hasher::random_secret());
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--json")
      json = true;
    else if (option == "--quick")
      much = {.keys = 10'000, .targets = 25, .queries = 1000, .lookups = 50'000};
    else if (option == "--keys" && i + 1 < argc)
      much.keys = std::strtoull(argv[++i], nullptr, 10);
    else if (option == "--secret" && i + 1 < argc)
      secret = secret_of(argv[++i]);
    else
      give_up("usage: attack [--quick] [--keys N] [--json] [--secret HEX]");
  }
  if (much.keys < 1000) give_up("--keys: 1000 at least");

  attack::report out;
  const auto all = attack::subjects(much, secret);
  for (const attack::subject& s : all) attack::frame_absent_keys(s, much, out);
  for (const attack::subject& s : all) attack::forge_false_positives(s, much, out);
  for (const attack::subject& s : all) attack::pollute(s, much, out);
  for (const attack::subject& s : all) attack::fill_one_block(s, much, out);
  attack::try_seeds(much, drawn(secret, "seed"), out);
  attack::try_seeds_of_murmur(much, out);
  attack::read_keys_from_sentinels(much, secret, out);
  attack::try_stolen_file(much, secret, out);
  const auto keyed = attack::block_of_texts(much, hasher::siphash13(secret));
  attack::ask_and_vary(attack::block_of_texts(much, hasher::xxh3()), much, out);
  attack::ask_and_vary(keyed, much, out);
  attack::insert_denied_keys(keyed, much, out);
  attack::repeat_and_rekey(much, secret, another(secret), out);

  json ? out.print_json(much.keys, hex_of(secret)) : out.print_table();
  return out.is_as_expected() ? 0 : 1;
}
