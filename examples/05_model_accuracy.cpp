// The error of the formulas, compared with the exact rate where it can be computed.
// docs/model.md explains them and quotes the output of this program.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <bloomery/bloomery.hpp>

namespace {

namespace model = bloomery::model;

double percent_off(double estimate, double truth) { return 100 * (estimate / truth - 1); }

double textbook(double bits, double hashes, double keys) {
  return std::pow(1 - std::exp(-hashes * keys / bits), hashes);
}

void classic() {
  std::puts("Independent probes, filter sized for p: error of the textbook formula");
  std::puts("and of classic_fpr against classic_fpr_exact");
  std::puts("     bits       p   k     exact  textbook  classic_fpr");
  for (const double bits : {32.0, 128.0, 512.0, 2048.0, 65536.0})
    for (const double p : {0.05, 0.01, 0.001}) {
      const double keys = bits * std::log(2.0) * std::log(2.0) / -std::log(p);
      const auto k = static_cast<unsigned>(std::lround(bits / keys * std::log(2.0)));
      const double exact = model::classic_fpr_exact(bits, k, keys);
      std::printf("%9.0f %7.3g %3u %9.3g %8.3f%% %11.5f%%\n", bits, p, k, exact,
                  percent_off(textbook(bits, k, keys), exact),
                  percent_off(model::classic_fpr(bits, k, keys), exact));
    }
}

// The mean of realised_fpr, which is exact at these sizes, over full filters.
double mean_of_filters(bloomery::bloom_layout layout, std::uint64_t keys, int filters) {
  double sum = 0;
  for (int f = 0; f < filters; ++f) {
    auto filter =
        bloomery::portable_bloom::make(layout, 0, bloomery::key_source::integers);
    if (!filter) std::exit(1);
    for (std::uint64_t i = 0; i < keys; ++i)
      filter->insert(filter->hash_u64((static_cast<std::uint64_t>(f) << 32) + i));
    sum += filter->realised_fpr();
  }
  return sum / filters;
}

void double_hashing() {
  std::puts("\nDouble hashing: mean exact rate of full filters, as a multiple of the");
  std::puts("results of classic_fpr and portable_fpr");
  std::puts("     keys   target     bits   k      exact  / classic  / portable");
  struct wanted {
    std::uint64_t keys;
    double fpr;
    int filters;
  };
  for (const wanted w :
       {wanted{100, 0.01, 400}, wanted{100, 1e-4, 100}, wanted{1000, 0.01, 40},
        wanted{1000, 1e-3, 20}, wanted{1000, 1e-6, 6}, wanted{1000, 1e-9, 4}}) {
    const auto layout = bloomery::size_by_rate(w.keys, w.fpr);
    if (!layout) std::exit(1);
    const auto n = static_cast<double>(w.keys), m = static_cast<double>(layout->bits);
    const double exact = mean_of_filters(*layout, w.keys, w.filters);
    std::printf("%9.0f %8.0e %8.0f %3u %10.3g %10.3f %11.3f\n", n, w.fpr, m,
                layout->hashes, exact, exact / model::classic_fpr(m, layout->hashes, n),
                exact / model::portable_fpr(layout->bits, layout->hashes, n));
  }
}

void short_halves() {
  std::puts("\n32-bit halves: rate as a multiple of the textbook formula");
  std::puts("bits / 2^32   p = 5 %   p = 1 %  p = 0.1 %");
  for (const double range : {0.5, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0}) {
    std::printf("%11.4g", range);
    for (const double p : {0.05, 0.01, 0.001}) {
      const double bits = range * 4294967296.0;
      const double keys = bits * std::log(2.0) * std::log(2.0) / -std::log(p);
      const auto k = static_cast<std::uint32_t>(std::lround(bits / keys * std::log(2.0)));
      const auto m = static_cast<std::uint64_t>(bits);
      std::printf(" %9.3f",
                  model::short_halves(m, k, keys).fpr / textbook(bits, k, keys));
    }
    std::puts("");
  }
}

}  // namespace

int main() {
  classic();
  double_hashing();
  short_halves();
}
