// bench_report: the table of docs/performance.md, measured now.
//
//   bench_report                                 10k, 1M, 10M and 100M keys, about a
//   minute bench_report --keys 1000000 --rounds 21      one size (the option repeats),
//   more rounds bench_report --write docs/performance.md     also puts the result into
//   the document
//
// Progress goes to standard error, the result to standard output.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "kit/document.hpp"
#include "kit/kinds.hpp"
#include "kit/machine.hpp"
#include "kit/table.hpp"

namespace bloomery::bench {
namespace {

struct arguments {
  std::string kind = "portable";
  std::vector<std::uint64_t> keys;
  double fpr = 0.01;
  options measuring;
  std::string document;
};

constexpr const char* usage =
    "usage: bench_report [--kind K] [--keys N]... [--fpr P] [--rounds R] [--threads T] "
    "[--write FILE]";

arguments parse(int argc, char** argv) {
  arguments a;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const char* value = argv[i + 1];
    const auto number = [&] { return std::strtoull(value, nullptr, 10); };
    if (name == "--kind")
      a.kind = value;
    else if (name == "--keys")
      a.keys.push_back(number());
    else if (name == "--fpr")
      a.fpr = std::strtod(value, nullptr);
    else if (name == "--rounds")
      a.measuring.rounds = static_cast<unsigned>(number());
    else if (name == "--threads")
      a.measuring.threads = static_cast<unsigned>(number());
    else if (name == "--write")
      a.document = value;
    else
      throw std::runtime_error(usage);
  }
  if (argc % 2 == 0 || a.measuring.rounds == 0 || a.measuring.threads == 0)
    throw std::runtime_error(usage);
  if (a.keys.empty()) a.keys = {10'000, 1'000'000, 10'000'000, 100'000'000};
  return a;
}

std::string report(const arguments& a) {
  const kind* measured = find_kind(a.kind);
  if (measured == nullptr) throw std::runtime_error("unknown kind " + a.kind);
  std::string out = describe_machine();
  std::vector<figures> sizes;
  for (const std::uint64_t keys : a.keys) {
    fmt::print(stderr, "measuring {} with {} keys ...\n", a.kind, keys);
    auto f = measured->measure(keys, a.fpr, a.measuring);
    if (!f) throw std::runtime_error(f.error().what);
    sizes.push_back(*std::move(f));
  }
  out += fmt::format(
      "- filter: {}, kernel {}, asked for {:g} %; {} rounds; ns are minimum (median)\n\n",
      a.kind, sizes.front().kernel, 100 * a.fpr, a.measuring.rounds);
  return out + speed_table(sizes) + "\n" + filters_table(sizes);
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  using namespace bloomery::bench;
  try {
    const arguments a = parse(argc, argv);
    const std::string text = report(a);
    fmt::print("{}", text);
    if (!a.document.empty()) write_between_markers(a.document, text);
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_report: {}\n", e.what());
    return 2;
  }
}
