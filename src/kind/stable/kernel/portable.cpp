// The definition: plain C++ on 64-bit words, 16 to 64 cells at a time.
#include "kind/stable/kernel/loops.hpp"

namespace bloomery::kernel {
namespace {

struct portable_words {
  static constexpr std::uint64_t reach = 8;

  template <class Cells>
  static void decrease(std::byte* p, unsigned head, std::uint64_t end) noexcept {
    std::uint64_t chosen = ~std::uint64_t{0} << head;
    for (; end > 64; end -= 64, p += 8, chosen = ~std::uint64_t{0})
      Cells::decrease(p, chosen);
    Cells::decrease(p, chosen & ~std::uint64_t{0} >> (64 - end));
  }
};

}  // namespace

constinit const stable_kernel stable_portable =
    stable_loops_of<portable_words>::table("portable");

}  // namespace bloomery::kernel
