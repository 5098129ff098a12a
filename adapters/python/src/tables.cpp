#include "tables.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/model.hpp>

#include "fields.hpp"
#include "options.hpp"
#include "raise.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

nb::list words(std::string_view text) {
  nb::list all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end != 0) all.append(nb::str(text.data(), end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

nb::list kind_table() {
  nb::list all;
  for (const kind_info& k : kinds()) {
    nb::list calls;
    for (std::size_t i = 0; i < capabilities_known; ++i)
      if (k.can.has(static_cast<capability>(i)))
        calls.append(name_of(static_cast<capability>(i)));
    nb::dict row;
    row["name"] = k.facts.name;
    row["summary"] = k.facts.summary;
    row["calls"] = calls;
    row["hash"] = name_of(k.facts.hasher().id());
    row["takes_hash"] = k.facts.any_hasher;
    row["forgets"] = k.facts.forgets;
    row["units"] = k.facts.units;
    row["options"] = option_table(k);
    row["fields"] = field_table(k);
    all.append(row);
  }
  return all;
}

nb::list dialect_table() {
  nb::list all;
  for (std::size_t i = 0; i < dialect_count(); ++i) {
    const dialect_facts d = dialect_at(i);
    nb::dict row;
    row["name"] = std::string(d.name);
    row["summary"] = std::string(d.summary);
    row["hash"] = std::string(d.hash);
    row["variants"] = words(d.variants);
    row["needs"] = words(d.needs);
    row["writes"] = d.writes;
    row["builds"] = d.builds;
    all.append(row);
  }
  return all;
}

nb::dict size(nb::handle capacity, nb::handle fpr, nb::kwargs options) {
  options["capacity"] = capacity;
  options["fpr"] = fpr;
  const filter_request r = request_of(options);
  const filter_size s = must(without_gil([&] { return r.kind->size(r.keys, r.size); }));
  nb::dict out;
  out["kind"] = r.kind->facts.name;
  out["units"] = s.units;
  out["hashes"] = r.kind->header(s).hashes;
  out["bits"] = s.bits;
  out["size_in_bytes"] = s.bytes;
  out["expected_fpr"] = s.expected_fpr;
  return out;
}

// One kind for all filters, or one for each.
nb::dict budget(const std::vector<std::uint64_t>& keys, double bits_per_key,
                nb::handle lookups, nb::handle kind) {
  const std::size_t n = keys.size();
  std::vector<std::string> names(n, kinds().front().facts.name);
  std::vector<double> asked(n, 1);
  if (nb::isinstance<nb::str>(kind))
    std::ranges::fill(names, nb::cast<std::string>(kind));
  else if (!kind.is_none())
    names = nb::cast<std::vector<std::string>>(kind);
  if (!lookups.is_none()) asked = nb::cast<std::vector<double>>(lookups);
  if (names.size() != n || asked.size() != n)
    raise_invalid("keys, lookups and kind must be of the same length");
  std::vector<model::rate_curve> curves(n);
  std::vector<model::budget_filter> filters(n);
  double all = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const kind_info* const k = find_kind(names[i]);
    if (k == nullptr) raise_invalid("no kind of filter has the name '" + names[i] + "'");
    curves[i] = rate_curve_of(*k, keys[i]);
    filters[i] = {static_cast<double>(keys[i]), asked[i], &curves[i]};
    all += filters[i].keys;
  }
  std::vector<double> bits(n);
  const auto plan =
      must(without_gil([&] { return model::budget(filters, bits_per_key * all, bits); }));
  nb::dict out;
  out["bits_per_key"] = bits;
  out["wasted_reads"] = plan.wasted_reads;
  out["bits"] = plan.bits;
  return out;
}

nb::dict promise(std::uint64_t capacity, double fpr) {
  const bloom_layout layout = must(size_by_rate(capacity, fpr));
  const portable_promise p = promise_of(layout, capacity, fpr);
  nb::dict out;
  out["true_fpr"] = p.true_fpr;
  out["is_kept"] = p.is_kept();
  out["is_refused"] = p.is_refused(capacity);
  return out;
}

}  // namespace

void bind_tables(nb::module_& m) {
  m.def("kinds", &kind_table);
  m.def("dialects", &dialect_table);
  m.def("size", &size, nb::arg("capacity") = nb::none(), nb::arg("fpr") = nb::none(),
        nb::arg("options"));
  m.def("budget", &budget, nb::arg("keys"), nb::arg("bits_per_key") = 10.0, nb::kw_only(),
        nb::arg("lookups") = nb::none(), nb::arg("kind") = nb::none());
  m.def("portable_promise", &promise, nb::arg("capacity"), nb::arg("fpr"));
  m.def("random_secret", [] {
    const hasher::secret s = must(hasher::random_secret());
    return nb::bytes(s.data(), s.size());
  });
}

}  // namespace bloomery::py
