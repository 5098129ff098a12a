// The directory of a packed set of static filters: what a header would say of each
// member.  spec/container.md, section 6.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/container.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"

namespace bloomery::format {

struct static_member {
  static constexpr std::size_t entry_bytes = 48;

  std::uint64_t end = 0;  // of its bytes, within the payload of the set
  container_facts facts;  // hashes, units and parameters of it are in the entry
  bool is_clean = true;   // what must be zero is

  // Where the member after one that ends here begins.
  static constexpr std::uint64_t begin_after(std::uint64_t end) noexcept {
    return (end + 7) / 8 * 8;
  }

  static std::array<std::byte, entry_bytes> encode(const static_member& m) noexcept {
    std::array<std::byte, entry_bytes> entry{};
    base::byte_writer out(entry);
    out.write(m.end);
    out.write(m.facts.units);
    out.write(m.facts.hashes);
    out.write(std::uint32_t{0});
    out.write(std::span<const std::byte>(m.facts.parameters));
    return entry;
  }

  // REQUIRES: entry.size() == entry_bytes
  static static_member decode(std::span<const std::byte> entry) noexcept {
    static_member m;
    base::byte_reader in(entry);
    m.end = in.read<std::uint64_t>();
    m.facts.units = in.read<std::uint64_t>();
    m.facts.hashes = in.read<std::uint32_t>();
    m.is_clean = in.read<std::uint32_t>() == 0;
    std::ranges::copy(in.take(m.facts.parameters.size()), m.facts.parameters.begin());
    return m;
  }
};

}  // namespace bloomery::format
