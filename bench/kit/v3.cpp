// Compiled with -march=x86-64-v3 -Dbloomery=bloomery_v3 (CMakeLists.txt).
//
// The other name keeps the inline functions of the library apart: under their own name
// the linker would keep one copy for both builds, and either measure the wrong one or run
// AVX2 on a CPU without it.  The filters are made elsewhere, under their own name; the
// same headers give them the same layout here.
#include "kit/v3.hpp"

#include <bloomery/block_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "kit/one_key.hpp"

namespace {

template <class F>
constexpr bloomery_v3_loops loops_of() {
  using loops = bloomery::bench::one_key<F>;
  return {loops::insert, loops::count, loops::ticks};
}

}  // namespace

// Constant: nothing here may run before the CPU has been asked.
extern "C" {
constinit const bloomery_v3_loops bloomery_v3_block = loops_of<bloomery::block_bloom>();
constinit const bloomery_v3_loops bloomery_v3_split_block =
    loops_of<bloomery::split_block_bloom>();
}
