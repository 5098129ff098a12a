// The sub-filters of RedisBloom's CF in memory, for the files of redisbloom_cuckoo.
#pragma once

#include <bloomery/detail/format/redisbloom_cuckoo.hpp>

#include <cstdint>

namespace bloomery::inline v1 {

struct redisbloom_cuckoo::part {
  std::uint64_t buckets;
  std::uint64_t bytes;
  pages slots;  // as many as are loaded
};

}  // namespace bloomery::inline v1

namespace bloomery::format::redis {

// RedisBloom computes the place of a slot in 32 bits.
inline constexpr std::uint64_t max_part = std::uint64_t{1} << 32;
inline constexpr std::uint64_t max_filters = 65535;

inline error beyond_limit(double bytes, std::uint64_t max_bytes) noexcept {
  return {errc::too_large, "the filter would take more memory than it may", 0, bytes,
          static_cast<double>(max_bytes)};
}

}  // namespace bloomery::format::redis
