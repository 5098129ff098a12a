#include "report.hpp"

#include <cstdio>

namespace attack {
namespace {

using count = unsigned long long;

std::string time_text(double seconds) {
  char text[32] = "-";  // nothing was computed
  if (seconds == 0) return text;
  if (seconds < 1e-3)
    std::snprintf(text, sizeof text, "%.0f us", seconds * 1e6);
  else if (seconds < 1)
    std::snprintf(text, sizeof text, "%.1f ms", seconds * 1e3);
  else
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

}  // namespace

const char* name_of(outcome o) {
  switch (o) {
    case outcome::broken:
      return "broken";
    case outcome::holds:
      return "holds";
    case outcome::remains:
      return "remains";
    case outcome::ended:
      return "ended";
    case outcome::noticed:
      return "noticed";
  }
  return "unknown";
}

void report::print_table() const {
  std::puts(
      "| victim | hash | attack | keys | time | effect | before | after | verdict |");
  std::puts("|---|---|---|---|---|---|---|---|---|");
  for (const row& r : rows_)
    std::printf("| %s | %s | %s | %llu | %s | %s | %.3g %% | %.3g %% | %s |\n",
                r.victim.c_str(), r.hash.c_str(), r.attack.c_str(), count{r.keys},
                time_text(r.seconds).c_str(), r.effect.c_str(), 100 * r.before,
                100 * r.after, name_of(r.verdict));
}

// No text here has a character that JSON would want escaped.
void report::print_json(std::uint64_t keys, const std::string& secret) const {
  std::printf("{\"keys\": %llu, \"secret\": \"%s\", \"rows\": [", count{keys},
              secret.c_str());
  const char* separator = "\n";
  for (const row& r : rows_) {
    std::printf(
        "%s  {\"victim\": \"%s\", \"hash\": \"%s\", \"attack\": \"%s\", \"keys\": %llu, "
        "\"seconds\": %.6g, \"effect\": \"%s\", \"before\": %.6g, \"after\": %.6g, "
        "\"hits\": %llu, \"trials\": %llu, \"chance\": %.6g, \"verdict\": \"%s\"}",
        separator, r.victim.c_str(), r.hash.c_str(), r.attack.c_str(), count{r.keys},
        r.seconds, r.effect.c_str(), r.before, r.after, count{r.hits}, count{r.trials},
        r.chance, name_of(r.verdict));
    separator = ",\n";
  }
  std::puts("\n]}");
}

bool report::is_as_expected() const {
  bool all = true;
  for (const row& r : rows_) {
    if (r.verdict == r.expected) continue;
    all = false;
    std::fprintf(stderr, "attack: %s, %s, %s: %s, expected: %s (%.3g -> %.3g)\n",
                 r.victim.c_str(), r.hash.c_str(), r.attack.c_str(), name_of(r.verdict),
                 name_of(r.expected), r.before, r.after);
  }
  return all;
}

}  // namespace attack
