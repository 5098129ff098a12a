// The inner loops of the block filters: no state, no allocation, no errors.
//
// One table for each instruction set, with the same loops for each profile.  `portable`
// defines the bits; the others set and test the same ones, faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

struct block_array {
  std::byte* data;  // 64-byte aligned
  std::uint64_t blocks;
  bool in_cache;  // the bits fit the L2 cache: prefetching would only cost
};

// One filter of several that share their keys.
struct block_view {
  const std::byte* data;
  std::uint64_t blocks;
};

struct block_loops {
  bool (*may_contain)(const std::byte* data, std::uint64_t blocks,
                      std::uint64_t h) noexcept;
  void (*insert_one)(std::byte* data, std::uint64_t blocks, std::uint64_t h) noexcept;
  void (*insert)(block_array a, const key* ks, std::size_t n) noexcept;
  // Concurrent with other threads; one-key calls say whether some bits were missing
  // (write_policy.hpp).
  bool (*insert_shared_one)(std::byte* data, std::uint64_t blocks,
                            std::uint64_t h) noexcept;
  void (*insert_shared)(block_array a, const key* ks, std::size_t n) noexcept;
  bool (*insert_locked_one)(std::byte* data, std::uint64_t blocks, std::uint64_t h,
                            const stripe_locks<>& lines) noexcept;
  void (*insert_locked)(block_array a, const key* ks, std::size_t n,
                        const stripe_locks<>& lines) noexcept;
  // Starts to fetch the lines of these keys, to be written.
  void (*fetch_to_write)(block_array a, const key* ks, std::size_t n) noexcept;
  // One answer a key: out has room for n.
  void (*query)(block_array a, const key* ks, std::size_t n, bool* out) noexcept;
  // The same for the keys of integers, fmix64(xs[i] ^ mask): hashed, fetched and looked
  // up in one pass.
  void (*query_integers)(block_array a, const std::uint64_t* xs, std::size_t n,
                         std::uint64_t mask, bool* out) noexcept;
  // One bit per key: out has room for ceil(n / 64), the last word is filled up with
  // zeros.
  void (*query_bits)(block_array a, const key* ks, std::size_t n,
                     std::uint64_t* out) noexcept;
  // Every key against every filter: ceil(filters / 64) words per key.
  void (*query_set)(const block_view* filters, std::size_t count, bool in_cache,
                    const key* ks, std::size_t n, std::uint64_t* out) noexcept;
  // out[i] becomes true if any of the filters has key i.  Nothing is fetched.
  void (*query_any)(const block_view* filters, std::size_t count, const key* ks,
                    std::size_t n, bool* out) noexcept;
};

struct block_kernel {
  const char* name;
  block_loops loops[6];  // by block_profile; the first is unused

  const block_loops& of(block_profile p) const noexcept {
    return loops[static_cast<std::size_t>(p)];
  }
};

// What this CPU and BLOOMERY_ISA allow, the definition first, the best last.
std::span<const block_kernel* const> block_kernels() noexcept;

// The best of them, chosen once.
const block_kernel& best_block_kernel() noexcept;

}  // namespace bloomery::kernel
