// The two structures of RedisBloom: BF.*, a chain of Bloom filters, and CF.*, a list of
// cuckoo filters.  Each in its own file; redisbloom.cpp distinguishes them.
#pragma once

#include "format/dialect/dialect.hpp"

namespace bloomery::format::redis {

// --- BF: redis_chain.cpp, redis_chain_write.cpp ---
result<layout> inspect_chain(std::span<const std::byte> bytes) noexcept;
bool chain_may_contain(const layout& l, const image& from, std::string_view key) noexcept;
census chain_count(const layout& l, const image& from) noexcept;
foreign_filter::part_facts chain_part(const layout& l, const image& from,
                                      std::uint64_t i) noexcept;
result<pages> make_chain(const foreign_params& p) noexcept;
result<void> chain_insert(layout& l, pages& to, std::string_view key) noexcept;
result<void> chain_merge(const layout& l, pages& to, const layout& theirs,
                         const image& from) noexcept;

// --- CF: redis_cuckoo.cpp ---
inline constexpr const char* cuckoo_variant = "cuckoo";

result<layout> inspect_cuckoo(std::span<const std::byte> bytes) noexcept;
bool cuckoo_may_contain(const layout& l, const image& from,
                        std::string_view key) noexcept;
census cuckoo_count(const layout& l, const image& from) noexcept;
foreign_filter::part_facts cuckoo_part(const layout& l, const image& from,
                                       std::uint64_t i) noexcept;

}  // namespace bloomery::format::redis
