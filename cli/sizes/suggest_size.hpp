// The nearest request that fits, found by bisection over the sizing functions: they are
// the only ones who know.
#pragma once

#include <cstdint>
#include <optional>

#include "sizes/kinds.hpp"

namespace bloomery::cli {

// The most keys, to three digits, that the request's rate or bits a key fit into `bytes`;
// 0: not even one.
std::uint64_t max_keys(const kind& what, const size_request& size, double bytes);

// The lowest rate of two digits, from `fpr` up, at which so many keys fit into `bytes`.
// Nothing if even one in two does not.
std::optional<double> lowest_rate(const kind& what, std::uint64_t keys, size_request size,
                                  double bytes, double fpr);

}  // namespace bloomery::cli
