#include "files/doubling.hpp"

#include <fmt/core.h>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

[[noreturn]] void refuse_to_double(const loaded_filter& f, std::string_view why,
                                   std::string_view remedy) {
  throw failure(fmt::format("{}: refused: it is full, and {}; the file is unchanged: {}",
                            f.path, why, remedy));
}

constexpr std::string_view larger = "build a filter with a larger --capacity";

}  // namespace

bool doubling::make_room(loaded_filter& f) {
  auto* const native = std::get_if<any_filter>(&f.filter);
  if (native == nullptr) return false;
  return native->visit([&]<class F>(F& filter) {
    if constexpr (!requires {
                    { filter.grow() } -> std::same_as<result<void>>;
                    doubled(filter.layout());
                  }) {
      return false;
    } else {
      if (issues_receipts)
        refuse_to_double(
            f, "doubled it would refuse the receipts of this run",
            "insert without --receipts first, or build a filter with a larger "
            "--capacity");
      const double now = filter.realised_fpr(), keys = filter.estimated_keys();
      if (!forced && limit.is_exceeded(now, keys))
        refuse_to_double(
            f, fmt::format("its rate of {} is above {}", rate(now), limit.in_words()),
            fmt::format("{}, or --force", larger));
      if (const auto grown = filter.grow(); !grown) {
        if (grown.error().code == errc::unattainable)
          refuse_to_double(
              f,
              fmt::format("cannot be doubled: its remainders have {} bits, the fewest",
                          filter.remainder_bits()),
              larger);
        refuse_to_double(f, fmt::format("cannot be doubled: {}", grown.error().what),
                         larger);
      }
      said.push_back(fmt::format(
          "{}: was full with {} copies of keys: doubled to {} slots with remainders of "
          "{} bits; its rate was {}, and is {} when it is full again; receipts issued "
          "before are refused from now on",
          f.path, grouped(static_cast<std::uint64_t>(keys)), grouped(filter.slots()),
          filter.remainder_bits(), rate(now),
          rate(filter.expected_fpr(quotient_capacity(filter.layout())))));
      return true;
    }
  });
}

}  // namespace bloomery::cli
