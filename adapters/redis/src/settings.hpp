// What the module can be told: when it is loaded (`NAME VALUE` pairs), and by CONFIG SET
// bloomery.NAME where the server has configuration of modules (Redis 7.0).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "binding.hpp"

namespace bloomery::redis {

inline constexpr long long max_keys = 1LL << 30;  // RedisBloom's
inline constexpr long long max_expansion = 32768;

struct settings {
  double error_rate = 0.01;
  long long initial_size = 100;
  long long expansion = 2;  // 0: filters do not grow
  long long cf_initial_size = 1024, cf_bucket_size = 2, cf_max_iterations = 20;
  long long cf_expansion = 1;        // 0: filters do not grow
  long long cf_max_expansions = 32;  // sub-filters beyond which nothing is added
  // The most bytes of bits per key: room for the most keys that RedisBloom takes, at 1 %.
  // Checked before memory is taken; what a primary or the append-only file has accepted
  // is not checked again.
  long long max_key_bytes = 2LL << 30;
  // 1: wrong types and unknown words are errors, where RedisBloom passes them over.
  long long strict = 0;
};

extern settings current;

// Null, or what is wrong; the name of the pair is in `argument`.
const char* read_arguments(server::string** argv, int argc, std::string_view& argument);

// Nothing where the server has no configuration of modules.
bool register_settings(server::context* ctx) noexcept;

}  // namespace bloomery::redis
