#include "live/metric_table.hpp"

namespace bloomery::live {
namespace {

using enum metric_type;
using value = metric_value;
using filter_row = const live_metrics&;
using tenant_row = const tenant_metrics&;

value known(const std::optional<double>& x) noexcept { return x ? value(*x) : value(); }
value flag(bool x) noexcept { return std::uint64_t{x}; }

constexpr metric<live_metrics> filters[] = {
    {"generation", gauge, "Number of the generation that answers.",
     [](filter_row m) noexcept -> value { return m.generation; }},
    {"generation_age_seconds", gauge, "Time since that generation began to answer.",
     [](filter_row m) noexcept -> value { return m.generation_age_seconds; }},
    {"capacity_keys", gauge, "Keys the filter was sized for; 0 if not recorded.",
     [](filter_row m) noexcept -> value { return m.capacity_keys; }},
    {"size_bytes", gauge, "Memory of the filter's bits.",
     [](filter_row m) noexcept -> value { return m.size_bytes; }},
    {"damaged_chunks", gauge,
     "Damaged chunks of the loaded file; lookups there are positive.",
     [](filter_row m) noexcept -> value { return m.damaged_chunks; }},
    {"killed", gauge, "1 while the kill switch makes every answer positive.",
     [](filter_row m) noexcept -> value { return flag(m.killed); }},
    {"fill_ratio", gauge, "Share of bits that are set.",
     [](filter_row m) noexcept -> value { return known(m.fill); }},
    {"estimated_keys", gauge, "Distinct keys that explain the bits.",
     [](filter_row m) noexcept -> value { return known(m.estimated_keys); }},
    {"asked_fpr_ratio", gauge, "False-positive rate the filter was sized for.",
     [](filter_row m) noexcept -> value { return known(m.asked_fpr); }},
    {"realised_fpr_ratio", gauge, "False-positive rate its bits give now.",
     [](filter_row m) noexcept -> value { return known(m.realised_fpr); }},
    {"observed_fpr_ratio", gauge,
     "False positives / (false positives + true negatives) of lookups.",
     [](filter_row m) noexcept -> value { return known(m.observed.rate); }},
    {"observed_fpr_low_ratio", gauge, "Lower end of the interval of the observed rate.",
     [](filter_row m) noexcept -> value { return m.observed.range.low; }},
    {"observed_fpr_high_ratio", gauge, "Upper end of the interval of the observed rate.",
     [](filter_row m) noexcept -> value { return m.observed.range.high; }},
    {"exceeded_in_seconds", gauge, "Time until the target rate is exceeded.",
     [](filter_row m) noexcept -> value { return known(m.exceeded_in_seconds); }},
    {"maybes_total", counter, "Lookups answered possibly present.",
     [](filter_row m) noexcept -> value { return m.lookups.maybes; }},
    {"negatives_total", counter, "Lookups answered definitely not present.",
     [](filter_row m) noexcept -> value { return m.lookups.negatives; }},
    {"confirmed_present_total", counter, "Positive answers that were found to be right.",
     [](filter_row m) noexcept -> value { return m.lookups.confirmed_present; }},
    {"confirmed_absent_total", counter,
     "Positive answers found to be wrong: false positives.",
     [](filter_row m) noexcept -> value { return m.lookups.confirmed_absent; }},
    {"inserts_total", counter, "Keys inserted, repeated ones too.",
     [](filter_row m) noexcept -> value { return m.inserts; }},
    {"rebuilds_started_total", counter, "Rebuilds started.",
     [](filter_row m) noexcept -> value { return m.rebuilds_started; }},
    {"rebuilds_succeeded_total", counter, "Rebuilds whose generation took over.",
     [](filter_row m) noexcept -> value { return m.rebuilds_succeeded; }},
    {"rebuilds_rolled_back_total", counter, "Rebuilds that were given up.",
     [](filter_row m) noexcept -> value { return m.rebuilds_rolled_back; }},
    {"rebuild_keys_done", gauge, "Keys read by the rebuild that runs, or the last.",
     [](filter_row m) noexcept -> value { return m.rebuild_keys_done; }},
    {"rebuild_keys_expected", gauge, "Keys that rebuild expects; 0 if not known.",
     [](filter_row m) noexcept -> value { return m.rebuild_keys_expected; }},
    {"rebuild_seconds", gauge, "Time that rebuild has taken.",
     [](filter_row m) noexcept -> value { return m.rebuild_seconds; }},
    {"snapshots_total", counter, "Snapshots taken.",
     [](filter_row m) noexcept -> value { return m.snapshots; }},
    {"last_snapshot_seconds", gauge, "Time the last snapshot took.",
     [](filter_row m) noexcept -> value { return m.last_snapshot_seconds; }},
};

constexpr metric<tenant_metrics> tenants[] = {
    {"maybes_total", counter, "Lookups for the tenant answered possibly present.",
     [](tenant_row t) noexcept -> value { return t.lookups.maybes; }},
    {"negatives_total", counter,
     "Lookups for the tenant answered definitely not present.",
     [](tenant_row t) noexcept -> value { return t.lookups.negatives; }},
    {"confirmed_present_total", counter, "Positive answers for the tenant found right.",
     [](tenant_row t) noexcept -> value { return t.lookups.confirmed_present; }},
    {"confirmed_absent_total", counter, "Positive answers for the tenant found wrong.",
     [](tenant_row t) noexcept -> value { return t.lookups.confirmed_absent; }},
    {"observed_fpr_ratio", gauge, "Observed false-positive rate of the tenant.",
     [](tenant_row t) noexcept -> value { return known(t.observed.rate); }},
    {"observed_fpr_low_ratio", gauge, "Lower end of its interval.",
     [](tenant_row t) noexcept -> value { return t.observed.range.low; }},
    {"observed_fpr_high_ratio", gauge, "Upper end of its interval.",
     [](tenant_row t) noexcept -> value { return t.observed.range.high; }},
    {"alarm", gauge, "1 if the rate of the tenant stands out from all others.",
     [](tenant_row t) noexcept -> value { return flag(t.alarm); }},
};

}  // namespace

std::span<const metric<live_metrics>> filter_table() noexcept { return filters; }
std::span<const metric<tenant_metrics>> tenant_table() noexcept { return tenants; }

}  // namespace bloomery::live
