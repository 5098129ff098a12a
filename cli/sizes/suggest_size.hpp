// The nearest request that fits, by bisection over the sizing functions.
#pragma once

#include <cstdint>
#include <optional>

#include <bloomery/kinds.hpp>

namespace bloomery::cli {

// Bytes that a request comes to, even if no filter can be so large.
// Errors: those of kind_info::layout, but for too_large.
result<double> bytes_needed(const result<filter_size>& layout);

// The maximal number of keys, to three digits, for which the request's rate or bits per
// key fit into `bytes`; 0: none fits.
std::uint64_t max_keys(const kind_info& what, const size_request& size, double bytes);

// The lowest rate of two digits, from `fpr` up, at which so many keys fit into `bytes`.
// Nothing if even one in two does not.
std::optional<double> lowest_rate(const kind_info& what, std::uint64_t keys,
                                  size_request size, double bytes, double fpr);

}  // namespace bloomery::cli
