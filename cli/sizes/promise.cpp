#include "sizes/promise.hpp"

#include <fmt/core.h>

#include <string>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

std::string because(const portable_promise& p, const filter_size& layout) {
  using cause = portable_promise::cause;
  switch (p.why) {
    case cause::double_hashing:
      return fmt::format("double hashing adds a floor of about 1/m (m = {} bits)",
                         grouped(layout.bits));
    case cause::short_halves:
      return fmt::format("its 32-bit hash halves cannot cover m = {} bits evenly",
                         grouped(layout.bits));
    case cause::none:
      break;
  }
  return "of its rounding";
}

// A rate of two digits that the format keeps, and nearly the lowest.
std::string instead(const kind_info& what, std::uint64_t keys) {
  for (double fpr = smallest_kept_fpr(keys); fpr < 0.5; fpr *= 1.03) {
    const std::string text = fmt::format("{:.2g}", fpr);
    const double rounded = std::stod(text);
    size_request request;
    request.fpr = rounded;
    const auto layout = what.layout(keys, request);
    if (layout && what.promise(*layout, keys, rounded).is_kept())
      return fmt::format("--fpr {} would be kept", text);
  }
  return fmt::format("no rate is kept for {} keys; {}", grouped(keys),
                     keys < 10'000 ? "give --capacity room to grow"
                                   : "spread them over several filters");
}

}  // namespace

void check_promise(const kind_info& what, std::uint64_t keys, const size_request& request,
                   const filter_size& layout) {
  if (what.promise == nullptr) return;
  const portable_promise p = what.promise(layout, keys, request.rate());
  if (p.is_kept()) return;
  const std::string truth = fmt::format(
      "{} keys at --fpr {:.3g} would really get {:.3g} ({} times as much) in the "
      "{} format, because {}; {}",
      grouped(keys), p.asked_fpr, p.true_fpr, three_digits(p.ratio()), what.facts.name,
      because(p, layout), instead(what, keys));
  if (p.is_refused(keys) && !request.force)
    throw failure(fmt::format("refused: {}; --force builds it anyway", truth));
  warn(truth);
}

}  // namespace bloomery::cli
