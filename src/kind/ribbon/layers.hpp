// The layers of a ribbon filter that is being built: each is cut into segments that are
// solved independently, so that the bytes do not depend on the number of threads, nor on
// whether the keys are in memory.
//
// A layer's keys ascend, so those of a segment are neighbours.  A group of segments at a
// time is taken from the source and solved by all threads; what a layer passes on is kept
// in memory, hashed anew, and sorted for the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/detail/kind/ribbon/sizing.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

#include "kind/ribbon/growing_array.hpp"

namespace bloomery::inline v1 {

// How the keys are spread over layers.  Other than the defaults: for tests, of shapes
// that few keys would not have otherwise.
struct ribbon_limits {
  std::uint64_t small_keys = 0;  // 0: ribbon_small_keys
  std::uint64_t last_keys = ribbon_last_keys;
  std::uint32_t max_buckets = ~std::uint32_t{0};  // of a layer
};

class ribbon_layers {
 public:
  // REQUIRES: threads >= 1
  ribbon_layers(ribbon_columns columns, unsigned width, unsigned threads,
                ribbon_limits limits = {}) noexcept;

  // Solves all of it.  Errors: as ribbon::build.
  result<void> build(sorted_keys& source) noexcept;

  const ribbon_shape& shape() const noexcept { return shape_; }
  pages take_store() noexcept { return std::move(store_); }

 private:
  result<void> add_layers(sorted_keys& source) noexcept;
  result<void> add_layer(sorted_keys& source, std::size_t number,
                         growing_array<key>& passed) noexcept;
  result<void> finish(std::span<const key> left) noexcept;
  result<bool> solve_rest(std::span<const key> left) noexcept;
  result<void> keep_rest(std::span<const key> left) noexcept;
  result<void> make_store(std::uint64_t size) noexcept;

  ribbon_shape shape_;
  unsigned threads_;
  ribbon_limits limits_;
  pages store_;           // the blocks of all layers so far, and room for more
  std::size_t used_ = 0;  // bytes of them
  growing_array<std::uint8_t> thresholds_;  // one for each bucket
};

}  // namespace bloomery::inline v1
