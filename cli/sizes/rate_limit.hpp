// The false-positive rate that a filter may have when keys are added to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <bloomery/any_filter.hpp>
#include <bloomery/foreign_filter.hpp>

namespace bloomery::cli {

struct rate_limit {
  enum class origin : std::uint8_t {
    given,  // on the command line
    asked,  // recorded in the file: the target rate
    sized,  // no rate is recorded, but the keys that it was sized for
    none,   // neither: from here on a filter is wrong more often than right
  };

  double fpr = 0.5;
  origin from = origin::none;
  // The most keys that are expected to keep it; 0: unknown, of another system's filter.
  std::uint64_t keys = 0;
  bool forgets = false;  // its rate settles: only one that was given can be exceeded

  // "the 1 % it was built for"
  std::string in_words() const;

  // Whether a filter with this rate and about so many keys exceeds it by more than the
  // bits of filters with equally many keys scatter.
  bool is_exceeded(double rate, double estimated_keys) const;
  // Keys up to which a higher rate is scatter.
  double keys_with_scatter() const;
};

// `asked`: as recorded, 0 if it is not.
rate_limit limit_of(const any_filter& f, double asked, std::optional<double> given);
rate_limit limit_of(const foreign_filter& f, double asked, std::optional<double> given);

}  // namespace bloomery::cli
