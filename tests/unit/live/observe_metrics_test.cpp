// The metrics as text: what readers of both formats make of them.
#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/live/metrics.hpp>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "metrics_text.hpp"
#include "not_finite.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::families;
using testing::infinite;
using testing::json_of;
using testing::prometheus_of;
using testing::prometheus_text;

// Every number differs from every other.
constexpr tenant_metrics some_tenants[] = {
    {"acme", {201, 202, 203, 204}, {0.205, {0.206, 0.207}, 1}, true},
    {"zeta", {211, 212, 213, 214}, {0.215, {0.216, 0.217}, 1}, false}};

live_metrics sample() {
  live_metrics m;
  m.name = "users";
  m.kind = "block_bloom";
  m.generation = 101;
  m.generation_age_seconds = 102.5;
  m.capacity_keys = 103;
  m.size_bytes = 104;
  m.damaged_chunks = 105;
  m.killed = true;
  m.fill = 0.106;
  m.estimated_keys = 107.25;
  m.asked_fpr = 0.0108;
  m.realised_fpr = 0.0109;
  m.observed = {0.0110, {0.0111, 0.0112}, 0.5};
  m.exceeded_in_seconds = 113.5;
  m.lookups = {114, 115, 116, 117};
  m.inserts = 118;
  m.rebuilds_started = 119;
  m.rebuilds_succeeded = 120;
  m.rebuilds_rolled_back = 121;
  m.rebuild_keys_done = 122;
  m.rebuild_keys_expected = 123;
  m.rebuild_seconds = 124.5;
  m.snapshots = 125;
  m.last_snapshot_seconds = 0.126;
  m.tenants = some_tenants;
  return m;
}

const std::map<std::string, double> wanted = {
    {"generation", 101},
    {"generation_age_seconds", 102.5},
    {"capacity_keys", 103},
    {"size_bytes", 104},
    {"damaged_chunks", 105},
    {"killed", 1},
    {"fill_ratio", 0.106},
    {"estimated_keys", 107.25},
    {"asked_fpr_ratio", 0.0108},
    {"realised_fpr_ratio", 0.0109},
    {"observed_fpr_ratio", 0.0110},
    {"observed_fpr_low_ratio", 0.0111},
    {"observed_fpr_high_ratio", 0.0112},
    {"exceeded_in_seconds", 113.5},
    {"negatives_total", 114},
    {"maybes_total", 115},
    {"confirmed_present_total", 116},
    {"confirmed_absent_total", 117},
    {"inserts_total", 118},
    {"rebuilds_started_total", 119},
    {"rebuilds_succeeded_total", 120},
    {"rebuilds_rolled_back_total", 121},
    {"rebuild_keys_done", 122},
    {"rebuild_keys_expected", 123},
    {"rebuild_seconds", 124.5},
    {"snapshots_total", 125},
    {"last_snapshot_seconds", 0.126},
};
// The values of the first tenant; the second has 0.01 or 10 more, and no alarm.
const std::map<std::string, double> wanted_of_tenant = {
    {"negatives_total", 201},           {"maybes_total", 202},
    {"confirmed_present_total", 203},   {"confirmed_absent_total", 204},
    {"observed_fpr_ratio", 0.205},      {"observed_fpr_low_ratio", 0.206},
    {"observed_fpr_high_ratio", 0.207}, {"alarm", 1},
};

TEST(Metrics, AsPrometheusTextHaveTheirValuesAndNoOthers) {
  const live_metrics m = sample();
  const families got = prometheus_of({&m, 1});
  EXPECT_EQ(got.size(), 1 + wanted.size() + wanted_of_tenant.size());
  const auto& info = got.at("bloomery_info").samples;
  ASSERT_EQ(info.size(), 1);
  EXPECT_EQ(info[0].value, 1);
  EXPECT_EQ(info[0].labels.at("filter"), "users");
  EXPECT_EQ(info[0].labels.at("kind"), "block_bloom");
  for (const auto& [name, value] : wanted) {
    const auto& samples = got.at("bloomery_" + name).samples;
    ASSERT_EQ(samples.size(), 1) << name;
    EXPECT_EQ(samples[0].value, value) << name;
    EXPECT_EQ(samples[0].labels.size(), 1) << name;
    EXPECT_EQ(samples[0].labels.at("filter"), "users") << name;
  }
  for (const auto& [name, value] : wanted_of_tenant) {
    const auto& samples = got.at("bloomery_tenant_" + name).samples;
    ASSERT_EQ(samples.size(), 2) << name;
    EXPECT_EQ(samples[0].labels.at("tenant"), "acme");
    EXPECT_EQ(samples[0].labels.at("filter"), "users");
    EXPECT_EQ(samples[1].labels.at("tenant"), "zeta");
    EXPECT_EQ(samples[0].value, value) << name;
    const double more = name == "alarm" ? -1 : value > 1 ? 10 : 0.01;
    EXPECT_DOUBLE_EQ(samples[1].value, value + more) << name;
  }
}

TEST(Metrics, AsJsonHaveTheirValuesAndNoOthers) {
  const live_metrics m = sample();
  const json got = json_of({&m, 1}).at("filters");
  ASSERT_EQ(got.size(), 1);
  EXPECT_EQ(got[0].size(), 3 + wanted.size());
  EXPECT_EQ(got[0].at("name"), "users");
  EXPECT_EQ(got[0].at("kind"), "block_bloom");
  for (const auto& [name, value] : wanted) EXPECT_EQ(got[0].at(name), value) << name;
  const json& tenants = got[0].at("tenants");
  ASSERT_EQ(tenants.size(), 2);
  EXPECT_EQ(tenants[0].size(), 1 + wanted_of_tenant.size());
  EXPECT_EQ(tenants[0].at("tenant"), "acme");
  EXPECT_EQ(tenants[1].at("tenant"), "zeta");
  EXPECT_EQ(tenants[1].at("alarm"), 0);
  EXPECT_EQ(tenants[1].at("maybes_total"), 212);
  for (const auto& [name, value] : wanted_of_tenant)
    EXPECT_EQ(tenants[0].at(name), value) << name;
}

// The tables of the page: | `name` | type | ...
TEST(Metrics, AreThoseOfTheDocument) {
  std::ifstream file(BLOOMERY_METRICS_PAGE);
  ASSERT_TRUE(file) << BLOOMERY_METRICS_PAGE;
  std::map<std::string, std::string> on_page;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `bloomery_")) continue;
    const auto name_end = line.find('`', 3), type = name_end + 4;
    EXPECT_TRUE(on_page
                    .emplace(line.substr(3, name_end - 3),
                             line.substr(type, line.find(' ', type) - type))
                    .second)
        << line;
  }
  const live_metrics m = sample();
  std::map<std::string, std::string> written;
  for (const auto& [name, family] : prometheus_of({&m, 1})) written[name] = family.type;
  EXPECT_EQ(on_page, written);
}

TEST(Metrics, OfSeveralFiltersStandTogether) {
  live_metrics some[] = {sample(), sample(), sample()};
  some[1].name = "orders", some[1].tenants = {};
  some[2].name = "pages", some[2].generation = 7;
  const families got = prometheus_of(some);  // refuses HELP or TYPE twice
  EXPECT_EQ(got.at("bloomery_generation").samples.size(), 3);
  EXPECT_EQ(got.at("bloomery_generation").samples[2].value, 7);
  EXPECT_EQ(got.at("bloomery_tenant_alarm").samples.size(), 4);
  const json as_json = json_of(some).at("filters");
  ASSERT_EQ(as_json.size(), 3);
  EXPECT_EQ(as_json[1].at("name"), "orders");
  EXPECT_EQ(as_json[1].at("tenants"), json::array());
}

TEST(Metrics, OfNoFilterAndOfNoTagAreValid) {
  EXPECT_EQ(prometheus_text({}), "");
  EXPECT_EQ(json_of({}).at("filters"), json::array());
  live_metrics m;
  const families got = prometheus_of({&m, 1});
  EXPECT_EQ(got.size(), 1 + wanted.size());
  EXPECT_EQ(json_of({&m, 1}).at("filters")[0].size(), 3 + wanted.size());
}

TEST(Metrics, ThatAreNotKnownAreNoNumbers) {
  live_metrics m;
  m.estimated_keys = infinite;
  m.exceeded_in_seconds = infinite;
  m.rebuild_seconds = -infinite;
  m.last_snapshot_seconds = std::nan("");
  const families got = prometheus_of({&m, 1});
  const auto value = [&](const char* name) { return got.at(name).samples[0].value; };
  EXPECT_TRUE(std::isnan(value("bloomery_observed_fpr_ratio")));
  EXPECT_TRUE(std::isnan(value("bloomery_fill_ratio")));
  EXPECT_TRUE(std::isnan(value("bloomery_last_snapshot_seconds")));
  EXPECT_EQ(value("bloomery_estimated_keys"), infinite);
  EXPECT_EQ(value("bloomery_rebuild_seconds"), -infinite);
  EXPECT_EQ(value("bloomery_observed_fpr_high_ratio"), 1);
  const json row = json_of({&m, 1}).at("filters")[0];
  EXPECT_TRUE(row.at("observed_fpr_ratio").is_null());
  EXPECT_TRUE(row.at("last_snapshot_seconds").is_null());
  EXPECT_EQ(row.at("exceeded_in_seconds"), "+Inf");
  EXPECT_EQ(row.at("rebuild_seconds"), "-Inf");
}

TEST(Metrics, KeepAllDigits) {
  live_metrics m;
  m.lookups.negatives = ~std::uint64_t{0};
  m.realised_fpr = 0.1 + 0.2;
  m.asked_fpr = 1e-300;
  m.fill = std::numeric_limits<double>::denorm_min();
  m.generation_age_seconds = std::numeric_limits<double>::max();
  const json row = json_of({&m, 1}).at("filters")[0];
  EXPECT_EQ(row.at("negatives_total").get<std::uint64_t>(), ~std::uint64_t{0});
  EXPECT_EQ(row.at("realised_fpr_ratio"), 0.1 + 0.2);
  EXPECT_EQ(row.at("asked_fpr_ratio"), 1e-300);
  EXPECT_EQ(row.at("generation_age_seconds"), std::numeric_limits<double>::max());
  EXPECT_NE(prometheus_text({&m, 1}).find(" 18446744073709551615\n"), std::string::npos);
  EXPECT_EQ(prometheus_of({&m, 1}).at("bloomery_realised_fpr_ratio").samples[0].value,
            0.1 + 0.2);
}

// A sink that writes to a socket is not called for every character.
TEST(Metrics, ComeInFewPieces) {
  const live_metrics m = sample();
  struct tally {
    std::size_t calls = 0, bytes = 0, empty = 0;
  } t;
  to_prometheus({&m, 1}, {[](void* context, std::string_view piece) {
                            auto& all = *static_cast<tally*>(context);
                            ++all.calls, all.bytes += piece.size();
                            all.empty += piece.empty();
                          },
                          &t});
  EXPECT_EQ(t.bytes, prometheus_text({&m, 1}).size());
  EXPECT_EQ(t.empty, 0);
  EXPECT_LT(t.calls, t.bytes / 512);
}

TEST(Metrics, AreAppended) {
  std::string out = "before\n";
  append_text(to_json, {}, out);
  EXPECT_EQ(out, "before\n{\"filters\":[]}\n");
}

}  // namespace
}  // namespace bloomery
