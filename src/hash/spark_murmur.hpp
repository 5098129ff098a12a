// Spark's MurmurHash3 x86_32: the bytes after the last whole word are each a separate
// word, sign-extended, which no other implementation does.  Little-endian words on
// every machine; of the 8 bytes of an integer it is Spark's hashLong.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery::hash {

std::uint32_t spark_murmur3(std::string_view bytes, std::uint32_t seed) noexcept;

}  // namespace bloomery::hash
