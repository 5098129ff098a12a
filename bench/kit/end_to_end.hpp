// What a user's calls cost: with the keys that the user has, integers and texts, which
// the filter hashes as part of each call.
//
// Costs some seconds for a kind; bench_end_to_end has the same beside other libraries, by
// callers compiled for newer CPUs too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/hasher.hpp>
#include <bloomery/result.hpp>

#include "kit/interleave.hpp"
#include "kit/measure.hpp"
#include "kit/operations.hpp"
#include "kit/user_filter.hpp"

namespace bloomery::bench {

// One filter with keys of one type.
struct user_key_figures {
  std::string label;  // "u64", "text, 16 bytes"
  std::string type;   // "u64", "text"
  std::size_t key_bytes = 0;
  double bits_per_key = 0;
  double measured_fpr = 0;  // of as many absent keys as there are lookups
  // Those of user_operations.  Inserts are empty where the kind is only built.
  per_operation<std::optional<timing>> times;
};

// The operations that end_to_end() fills in, in their order in tables.
inline constexpr operation user_operations[] = {
    operation::insert,         operation::insert_batched, operation::absent,
    operation::absent_batched, operation::present,        operation::present_batched,
    operation::mixed,          operation::mixed_batched,
};

// How to make the filters of a kind.
struct user_kind {
  std::string_view name;
  user_filter_maker<std::uint64_t> of_integers;
  user_filter_maker<std::string_view> of_texts;
  hasher (*hash)() noexcept;
};

// REQUIRES: `kind` is the name of one
const user_kind& user_kind_of(std::string_view kind) noexcept;

// One for each type of key, integers first.  Throws std::runtime_error if the filter
// loses or refuses a key, or its batches disagree with its one-key calls.
// Errors: as make or build of the filter.  REQUIRES: keys >= 1
result<std::vector<user_key_figures>> measure_end_to_end(const user_kind& k,
                                                         std::uint64_t keys, double fpr,
                                                         const options& o);

}  // namespace bloomery::bench
