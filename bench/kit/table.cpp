#include "kit/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace bloomery::bench {
namespace {

using maybe_timing = std::optional<timing>;

std::string ns(const maybe_timing& t) {
  return t ? fmt::format("{:.1f} ({:.1f})", t->min, t->median) : "-";
}

// How many times `other` takes as long: above 1 we are faster.
std::string speedup(const maybe_timing& ours, const maybe_timing& other) {
  if (!ours || !other) return "-";
  return fmt::format("{:.2f} ({:.2f})", other->min / ours->min,
                     other->median / ours->median);
}

std::string latency(const percentiles& p) {
  return fmt::format("{:.0f} / {:.0f} / {:.0f}", p.p50, p.p99, p.p999);
}

}  // namespace

std::string short_count(std::uint64_t n) {
  if (n >= 1'000'000 && n % 1'000'000 == 0) return fmt::format("{}M", n / 1'000'000);
  if (n >= 1'000 && n % 1'000 == 0) return fmt::format("{}k", n / 1'000);
  return fmt::format("{}", n);
}

std::string filters_table(std::span<const figures> sizes) {
  std::string out =
      "| keys | filter KiB | bits/key | FPR measured | FPR realised "
      "| present p50 / p99 / p99.9 | absent p50 / p99 / p99.9 "
      "| load floor, plain | batched | update floor, plain | batched "
      "| two lines: load, plain | batched | update, plain | batched |\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const figures& f : sizes)
    out += fmt::format(
        "| {} | {} | {:.2f} | {:.4f} % | {:.4f} % | {} | {} | {} | {} | {} | {} | {} | "
        "{} | {} | {} |\n",
        short_count(f.keys), (f.bytes + 1023) / 1024, f.bits_per_key,
        100 * f.measured_fpr, 100 * f.realised_fpr, latency(f.present_latency),
        latency(f.absent_latency), ns(f.floor.load), ns(f.floor.load_batched),
        ns(f.floor.update), ns(f.floor.update_batched), ns(f.floor2.load),
        ns(f.floor2.load_batched), ns(f.floor2.update), ns(f.floor2.update_batched));
  return out;
}

std::string speed_table(std::span<const figures> sizes) {
  const bool twins =
      std::ranges::any_of(sizes, [](const figures& f) { return f.textbook.has_value(); });
  std::string out =
      twins ? "| keys | operation | ns/key | textbook ns/key | times textbook | floors "
              "| of two lines |\n"
              "|--:|:--|--:|--:|--:|--:|--:|\n"
            : "| keys | operation | ns/key | floors | of two lines |\n"
              "|--:|:--|--:|--:|--:|\n";
  const auto row = [&](const figures& f, std::string_view label, const maybe_timing& t,
                       bool writes, const timing* textbook = nullptr) {
    std::string beside;
    if (twins)
      beside = fmt::format(" {} | {} |", textbook ? ns(*textbook) : "",
                           textbook ? speedup(t, *textbook) : "");
    out += fmt::format("| {} | {} | {} |{} {} | {} |\n", short_count(f.keys), label,
                       ns(t), beside, speedup(f.floor.best(writes), t),
                       speedup(f.floor2.best(writes), t));
  };
  const auto growth_rows = [&](const figures& f, const growth& g, const char* how) {
    const auto label = [&](const char* part) {
      return fmt::format("insert{} up to {:.0f} % load{}", how, 100 * g.load, part);
    };
    row(f, label(""), g.all, true);
    row(f, label(": first tenth"), g.first, true);
    row(f, label(": last tenth"), g.last, true);
  };
  for (const figures& f : sizes) {
    for (const operation_info& o : operations) {
      if (o.erases() && !f.ours[o.what]) continue;
      row(f, o.label, f.ours[o.what], o.writes,
          f.textbook && !o.erases() ? &(*f.textbook)[o.what] : nullptr);
    }
    if (f.growing) growth_rows(f, *f.growing, "");
    if (f.growing_batched) growth_rows(f, *f.growing_batched, ", batched,");
    row(f, "hash of 16-byte strings alone, batched", f.hash, false);
    if (f.v3) {
      row(f, "insert, built for x86-64-v3", f.v3->insert, true);
      row(f, "present, built for x86-64-v3", f.v3->present, false);
      row(f, "absent, built for x86-64-v3", f.v3->absent, false);
      row(f, "50/50, built for x86-64-v3", f.v3->mixed, false);
    }
    row(f, "build, from nothing", f.build, true);
    if (f.threads == 1) continue;
    if (f.build_threaded)
      row(f, fmt::format("build, {} threads", f.threads), *f.build_threaded, true);
    row(f, fmt::format("absent, batched, {} threads", f.threads), f.absent_threaded,
        false);
  }
  return out;
}

std::string end_to_end_table(std::span<const user_key_figures> keys) {
  std::string out = "| key | bits/key | FPR measured |", line = "|:--|--:|--:|";
  for (const operation o : user_operations) {
    out += fmt::format(" {} |", info_of(o).label);
    line += "--:|";
  }
  out += "\n" + line + "\n";
  for (const user_key_figures& f : keys) {
    out += fmt::format("| {} | {:.2f} | {:.3f} % |", f.label, f.bits_per_key,
                       100 * f.measured_fpr);
    for (const operation o : user_operations) out += fmt::format(" {} |", ns(f.times[o]));
    out += "\n";
  }
  return out;
}

}  // namespace bloomery::bench
