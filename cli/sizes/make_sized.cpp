#include "sizes/make_sized.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sizes/kind_choice.hpp"
#include "sizes/memory.hpp"
#include "sizes/option_text.hpp"
#include "sizes/promise.hpp"
#include "sizes/suggest_size.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// What is suggested leaves a quarter of the memory to everything else.
constexpr double advised_share = 0.75;

struct ceiling {
  double max;          // bytes
  double advised;      // bytes
  std::string reason;  // "this machine has 23.4 GiB"
};

ceiling ceiling_of(const kind_info& what) {
  const double memory = machine_memory();
  if (what.max_bytes < advised_share * memory)
    return {
        what.max_bytes, what.max_bytes,
        fmt::format("a {} filter has at most {}", what.facts.name, size(what.max_bytes))};
  return {memory, advised_share * memory,
          fmt::format("this machine has {}", size(memory))};
}

void check_rate(double fpr) {
  if (fpr > 0 && fpr < 1) return;
  const char* instead = fpr <= 0   ? "every filter has false positives: try --fpr 1e-09"
                        : fpr >= 1 ? "such a filter would filter nothing: try --fpr 0.5"
                                   : "try --fpr 0.01";
  throw failure(
      fmt::format("--fpr {:g}: a false-positive rate lies strictly between 0 and 1; {}",
                  fpr, instead));
}

void check_bits_per_key(double bits) {
  if (bits > 0 && std::isfinite(bits)) return;
  throw failure(fmt::format(
      "--bits-per-key {:g}: must be a number above 0; 10 gives about 1 %, 20 about 1 in "
      "10,000",
      bits));
}

// The size of the smallest filter with these options, from the error of a request for
// less.
double min_bytes(const kind_info& what, const size_request& request) {
  size_request nothing = request;
  nothing.memory = 0;
  nothing.fpr.reset();
  const auto refused = what.layout(1, nothing);
  const bool says = !refused && refused.error().code == errc::invalid_argument;
  return says ? std::max(what.min_bytes, refused.error().possible) : what.min_bytes;
}

void check_memory(const kind_info& what, const size_request& request) {
  const auto bytes = static_cast<double>(*request.memory);
  const double min = min_bytes(what, request);
  if (bytes < min)
    throw failure(fmt::format(
        "--memory {:.0f}: the smallest {} filter takes {} bytes: --memory {:.0f}", bytes,
        what.facts.name, grouped(static_cast<std::uint64_t>(min)), min));
  const ceiling top = ceiling_of(what);
  if (bytes > top.max)
    throw failure(fmt::format("--memory {}: {}; --memory {:.0f}M would fit", size(bytes),
                              top.reason, std::floor(top.advised / 0x1p20)));
}

std::string asked(std::uint64_t keys, const size_request& request) {
  return request.bits_per_key
             ? fmt::format("{} keys at --bits-per-key {:g}", grouped(keys),
                           *request.bits_per_key)
             : fmt::format("{} keys at --fpr {:g}", grouped(keys), request.rate());
}

[[noreturn]] void refuse_size(const kind_info& what, std::uint64_t keys,
                              const size_request& request, double need) {
  const ceiling top = ceiling_of(what);
  std::vector<std::string> instead;
  if (const auto fewer = max_keys(what, request, top.advised); fewer != 0)
    instead.push_back(fmt::format("about {} keys fit at this {}", grouped(fewer),
                                  request.bits_per_key ? "size" : "rate"));
  if (request.bits_per_key) {
    const double bits = std::floor(8 * top.advised / static_cast<double>(keys));
    if (bits >= 1)
      instead.push_back(fmt::format("--bits-per-key {:.0f} fits this many keys", bits));
  } else if (const auto rate =
                 lowest_rate(what, keys, request, top.advised, request.rate())) {
    instead.push_back(fmt::format("--fpr {:g} fits this many keys", *rate));
  }
  if (instead.empty()) instead.push_back("use fewer keys and fewer bits per key");
  throw failure(fmt::format("{} need {}; {}: {}", asked(keys, request), size(need),
                            top.reason, fmt::join(instead, ", or ")));
}

// Memory grows without bound towards the lowest rate.  The rate of 16 bytes per key is
// close to it.
[[noreturn]] void refuse_rate(const kind_info& what, std::uint64_t keys,
                              const size_request& request) {
  const double room = std::min(ceiling_of(what).advised,
                               std::max(4096.0, 16 * static_cast<double>(keys)));
  const auto rate = lowest_rate(what, keys, request, room, request.rate());
  throw failure(
      fmt::format("{}: a {} filter of any size has a higher rate than that{}",
                  asked(keys, request), what.facts.name,
                  rate ? fmt::format("; --fpr {:g} fits in {}", *rate, size(room)) : ""));
}

// Kinds that can be full need room for every key, whatever their rate.
[[noreturn]] void refuse_memory(const kind_info& what, std::uint64_t keys,
                                const size_request& request, double need) {
  const double bits = std::ceil(800 * need / static_cast<double>(keys)) / 100;
  throw failure(fmt::format(
      "{}: {} keys do not fit a {} filter of that size; {} holds them",
      request.memory ? fmt::format("--memory {}", *request.memory)
                     : fmt::format("--bits-per-key {:g}", *request.bits_per_key),
      grouped(keys), what.facts.name,
      request.memory ? fmt::format("--memory {:.0f}", std::ceil(need))
                     : fmt::format("--bits-per-key {:g}", bits)));
}

}  // namespace

void check_size_request(const kind_info& what, const size_request& request) {
  check_kind_options(what, request.options);
  if (request.fpr) check_rate(*request.fpr);
  if (request.bits_per_key) check_bits_per_key(*request.bits_per_key);
  if (request.memory) check_memory(what, request);
}

void check_size(const kind_info& what, std::uint64_t keys, const size_request& request) {
  const auto layout = what.layout(keys, request);
  const auto need = bytes_needed(layout);
  if (!need && need.error().code == errc::unattainable) {
    if (what.facts.rate_beside_size)
      throw failure(fmt::format("--fpr {:g}: {}: {}", request.rate(), need.error().what,
                                request.bits_per_key ? "more --bits-per-key have it"
                                : request.memory     ? "a larger --memory has it"
                                                     : "a higher --fpr may be had"));
    if (request.is_by_rate()) refuse_rate(what, keys, request);
    refuse_memory(what, keys, request, need.error().possible);
  }
  // Options that are right by themselves, and not together.
  const std::string options = settings_text(request.options);
  if (!need)
    throw failure(describe(options.empty() ? what.facts.name : options, need.error()));
  if (*need > ceiling_of(what).max) refuse_size(what, keys, request, *need);
  if (layout && request.is_by_rate()) check_promise(what, keys, request, *layout);
}

any_filter make_sized(const kind_info& what, std::uint64_t keys,
                      const size_request& request, const hasher& hash) {
  check_size(what, keys, request);
  auto filter = what.make(keys, request, hash);
  if (!filter) throw failure(describe(what.facts.name, filter.error()));
  warn_if_useless(*filter, keys, request);
  return *std::move(filter);
}

void warn_if_useless(const any_filter& filter, std::uint64_t keys,
                     const size_request& request) {
  if (request.is_by_rate()) return;
  if (const double fpr = filter.design_fpr(); fpr > 0.5)
    warn(fmt::format("{} keys in {}: hardly a filter, it has a rate of {}", grouped(keys),
                     size(filter.size_in_bytes()), rate(fpr)));
}

}  // namespace bloomery::cli
