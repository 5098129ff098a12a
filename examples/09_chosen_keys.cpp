// Keys chosen by untrusted users: a filter with a secret, and an alarm for the tenant who
// repeats false positives.  docs/adversarial.md has the reasons.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <bloomery/bloomery.hpp>

namespace {

template <class T>
T must(bloomery::result<T> r) {
  if (!r) std::puts(r.error().what), std::exit(1);
  return *std::move(r);
}

bloomery::result<bloomery::block_bloom> make_keyed(std::uint64_t keys) {
  const auto secret = bloomery::hasher::random_secret();  // 16 bytes from the kernel
  if (!secret) return secret.error();
  return bloomery::block_bloom::make(
      {.keys = keys, .hasher = bloomery::hasher::siphash13(*secret)});
}

// A lookup for a tenant, and the result from the store behind the filter.
void query(const bloomery::block_bloom& f, bloomery::tenant_rates& rates, unsigned tenant,
           std::string_view absent_key) {
  const bool maybe = f.may_contain(absent_key);
  rates.lookup(tenant, maybe);
  if (maybe) rates.confirm(tenant, false);  // the store did not have it
}

// Once per minute.
std::string_view suspect(bloomery::tenant_watch& watch, double rate_of_filter) {
  for (const bloomery::tenant_metrics& row : watch.rows(rate_of_filter))
    if (row.alarm) return row.tenant;
  return {};
}

}  // namespace

int main() {
  auto f = must(make_keyed(10'000));
  for (int i = 0; i < 10'000; ++i) f.insert("user" + std::to_string(i));

  constexpr std::array<std::string_view, 3> names{"alice", "bob", "mallory"};
  auto rates = must(bloomery::tenant_rates::make(names.size()));
  auto watch = must(bloomery::tenant_watch::make(rates, names, {.false_alarm = 1e-9}));
  std::vector<std::string> found;  // by mallory
  int number = 0;
  const auto absent = [&] { return "nobody" + std::to_string(++number); };
  for (int i = 0; i < 10'000; ++i)
    for (unsigned tenant = 0; tenant < names.size(); ++tenant) {
      const std::string key = absent();
      query(f, rates, tenant, key);
      if (tenant == 2 && f.may_contain(key)) found.push_back(key);
    }
  const auto before = suspect(watch, f.realised_fpr());
  std::printf("alarm: %s\n", before.empty() ? "none" : std::string(before).c_str());

  watch.mark();
  for (std::size_t i = 0; i < 2000; ++i)
    for (unsigned tenant = 0; tenant < names.size(); ++tenant)
      query(f, rates, tenant, tenant == 2 ? found[i % found.size()] : absent());
  const auto after = suspect(watch, f.realised_fpr());
  std::printf("alarm: %s\n", after.empty() ? "none" : std::string(after).c_str());
  return before.empty() && after == "mallory" ? 0 : 1;
}
