// Compiled with -march=x86-64-v3 -Dbloomery=bloomery_v3 (CMakeLists.txt).
//
// The other name keeps the inline functions of the library apart: under their own name
// the linker would keep one copy for both builds, and either measure the wrong one or run
// AVX2 on a CPU without it.  The filters are made elsewhere, under their own name; the
// same headers give them the same layout here.
#include "kit/v3.hpp"

#include <array>
#include <concepts>

#include <bloomery/block_bloom.hpp>
#include <bloomery/kinds.hpp>

#include "kit/one_key.hpp"

// What one-key calls of ours need from the library, which does not know the other name.
namespace bloomery::inline v1 {
void counting_bloom::add_slowly(key k) noexcept { bloomery_v3_insert(this, k.bits()); }
bool counting_bloom::find_slowly(key k) const noexcept {
  return bloomery_v3_may_contain(this, k.bits());
}
}  // namespace bloomery::inline v1

namespace {

template <class F>
struct has_vector_calls : std::bool_constant<F::kind.inlines_vectors> {};

template <class... Fs>
constexpr auto all_loops(bloomery::detail::type_list<Fs...>) noexcept {
  return std::array{bloomery_v3_loops{
      static_cast<unsigned>(Fs::kind.number), bloomery::bench::one_key<Fs>::insert,
      bloomery::bench::one_key<Fs>::count, bloomery::bench::one_key<Fs>::ticks}...};
}

// Constant: nothing here may run before the CPU has been asked.
constinit const auto loops = all_loops(
    bloomery::detail::filtered<bloomery::filter_types, has_vector_calls>::type{});

}  // namespace

extern "C" {
constinit const bloomery_v3_table bloomery_v3_kinds{loops.data(), loops.size()};
}
