#include "settings.hpp"

#include <strings.h>

#include <cstdio>
#include <cstring>

#include "words.hpp"

namespace bloomery::redis {

constinit settings current;

namespace {

struct number_setting {
  const char* name;
  const char* old_name;  // as RedisBloom's argument; null: none
  long long settings::*value;
  long long low, high;
};

constexpr number_setting numbers[] = {
    {"bf-initial-size", "INITIAL_SIZE", &settings::initial_size, 1, max_keys},
    {"bf-expansion-factor", nullptr, &settings::expansion, 0, max_expansion},
    {"cf-initial-size", nullptr, &settings::cf_initial_size, 4, max_keys},
    {"cf-bucket-size", nullptr, &settings::cf_bucket_size, 1, 255},
    {"cf-max-iterations", nullptr, &settings::cf_max_iterations, 1, 65535},
    {"cf-expansion-factor", nullptr, &settings::cf_expansion, 0, max_expansion},
    {"cf-max-expansions", "CF_MAX_EXPANSIONS", &settings::cf_max_expansions, 1, 65535},
    {"max-key-bytes", nullptr, &settings::max_key_bytes, 1024, 1LL << 43},
    {"strict", nullptr, &settings::strict, 0, 1},
};

constexpr const char* rate_name = "bf-error-rate";
constexpr const char* rate_range = "bf-error-rate must be in the range (0, 1)";

bool set_rate(const server::string* text) noexcept {
  double rate;
  if (server::StringToDouble(text, &rate) != server::ok || !(rate > 0 && rate < 1))
    return false;
  current.error_rate = rate;
  return true;
}

long long number_of(const char*, void* of) {
  return current.*static_cast<const number_setting*>(of)->value;
}
// The server has checked the range.
int set_number_of(const char*, long long value, void* of, server::string**) {
  current.*static_cast<const number_setting*>(of)->value = value;
  return server::ok;
}

server::string* rate_text = nullptr;  // what CONFIG GET was given last

server::string* rate_of(const char*, void*) {
  char text[32];
  const int n = std::snprintf(text, sizeof text, "%.17g", current.error_rate);
  // As short as it can be said.
  char brief[32];
  const int m = std::snprintf(brief, sizeof brief, "%g", current.error_rate);
  double again;
  const bool is_exact =
      std::sscanf(brief, "%lf", &again) == 1 && again == current.error_rate;
  if (rate_text != nullptr) server::FreeString(nullptr, rate_text);
  rate_text = server::CreateString(nullptr, is_exact ? brief : text,
                                   static_cast<std::size_t>(is_exact ? m : n));
  return rate_text;
}
int set_rate_text(const char*, server::string* value, void*, server::string** error) {
  if (set_rate(value)) return server::ok;
  *error = server::CreateString(nullptr, rate_range, std::strlen(rate_range));
  return server::failed;
}

}  // namespace

const char* read_arguments(server::string** argv, int argc, std::string_view& argument) {
  for (int i = 0; i < argc; i += 2) {
    argument = text_of(argv[i]);
    if (i + 1 == argc) return "has no value: arguments are pairs of a name and a value";
    if (is_word(argument, rate_name) || is_word(argument, "ERROR_RATE")) {
      if (!set_rate(argv[i + 1])) return "must be in the range (0, 1)";
      continue;
    }
    bool known = false;
    for (const number_setting& n : numbers) {
      if (!is_word(argument, n.name) &&
          (n.old_name == nullptr || !is_word(argument, n.old_name)))
        continue;
      known = true;
      long long v;
      if (server::StringToLongLong(argv[i + 1], &v) != server::ok || v < n.low ||
          v > n.high)
        return "is out of its range (adapters/redis/README.md)";
      current.*n.value = v;
    }
    if (!known) return "is not known";
  }
  return nullptr;
}

bool register_settings(server::context* ctx) noexcept {
  using namespace server;
  if (RegisterNumericConfig == nullptr || RegisterStringConfig == nullptr ||
      LoadConfigs == nullptr)
    return true;
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.17g", current.error_rate);
  if (RegisterStringConfig(ctx, rate_name, rate, 0, rate_of, set_rate_text, nullptr,
                           nullptr) != ok)
    return false;
  for (const number_setting& n : numbers)
    if (RegisterNumericConfig(ctx, n.name, current.*n.value, 0, n.low, n.high, number_of,
                              set_number_of, nullptr,
                              const_cast<number_setting*>(&n)) != ok)
      return false;
  return LoadConfigs(ctx) == ok;
}

}  // namespace bloomery::redis
