// Making filters: empty, from all keys, from bytes and files; and writing them.
#include <string>
#include <utility>

#include "collector.hpp"
#include "encoded.hpp"
#include "filter_calls.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

// --- making ---
[[noreturn]] void refuse_empty(const kind_info& kind) {
  const std::string name = kind.facts.name;
  const std::string text =
      "a filter of the kind " + name +
      " is built from all its keys at once, and takes none later: write "
      "bloomery.Filter.build(keys, fpr, kind='" +
      name + "'), or bloomery.Builder for keys in parts";
  raise(error{errc::unsupported, text.c_str()});
}

void make(filter_object* self, nb::handle capacity, nb::handle fpr, nb::kwargs options) {
  options["capacity"] = capacity;
  options["fpr"] = fpr;
  const filter_request r = request_of(options);
  if (r.keys == 0 && !r.size.exact && capacity.is_none())
    raise_invalid("capacity: the number of keys that the filter is for");
  auto made = without_gil([&] { return r.kind->make(r.keys, r.size, r.hash); });
  if (!made && made.error().code == errc::unsupported &&
      r.kind->can.has(capability::build))
    refuse_empty(*r.kind);
  new (self) filter_object(must(std::move(made)));
}

filter_object build(nb::handle keys, nb::handle fpr, nb::handle capacity,
                    unsigned threads, nb::handle memory_limit, nb::handle temp_dir,
                    nb::handle progress, nb::kwargs options) {
  build_watcher watcher(progress);
  options["capacity"] = capacity;
  options["fpr"] = fpr;
  const bool guesses = !options.contains("source");
  const filter_request r =
      request_of(options, guesses ? source_of(keys) : key_source::bytes);
  key_collector all(memory_limit, temp_dir);
  watcher.begin_reading(keys);
  all.add(keys, r.hash, watcher);
  return all.finish(r, threads, watcher);
}

// --- bytes and files ---
// What the caller knows; otherwise what the filter's builder knew.  Sentinels are those
// of these hashes that are smallest.
builder_notes notes_of(const filter_object& f, nb::handle asked_fpr,
                       nb::handle distinct_keys, nb::handle sentinels) {
  builder_notes notes = f.built.value_or(builder_notes{});
  if (!asked_fpr.is_none()) notes.asked_fpr = nb::cast<double>(asked_fpr);
  if (!distinct_keys.is_none()) notes.keys = nb::cast<std::uint64_t>(distinct_keys);
  if (sentinels.is_none()) return notes;
  notes.sentinels = {};
  const hasher as_they_are = f.hash.of(key_source::hashes);
  for_each_column(sentinels, as_they_are, [&](const column& c) {
    for_each_group(c, as_they_are,
                   [&](std::span<const key> ks, std::size_t, const bool*) {
                     notes.sentinels.add(ks);
                     return true;
                   });
  });
  return notes;
}

void init_from_state(filter_object* self, nb::handle state) {
  new (self) filter_object(
      decoded(state, "container", reading(nb::none(), nb::none(), nb::none())));
}

}  // namespace

void bind_making(filter_class& c) {
  c.def("__init__", &make, nb::arg("capacity") = nb::none(), nb::arg("fpr") = nb::none(),
        nb::arg("options"))
      .def_static("build", &build, nb::arg("keys").none(), nb::arg("fpr") = nb::none(),
                  nb::arg("capacity") = nb::none(), nb::arg("threads") = 1,
                  nb::arg("memory_limit") = nb::none(), nb::arg("temp_dir") = nb::none(),
                  nb::arg("progress") = nb::none(), nb::arg("options"))
      .def(
          "to_bytes",
          [](const filter_object& f, const std::string& form, nb::handle asked_fpr,
             nb::handle distinct_keys, nb::handle sentinels) {
            const builder_notes notes = notes_of(f, asked_fpr, distinct_keys, sentinels);
            return as_bytes(encoded(f, form, notes));
          },
          nb::arg("form") = "container", nb::kw_only(), nb::arg("asked_fpr") = nb::none(),
          nb::arg("distinct_keys") = nb::none(), nb::arg("sentinels") = nb::none())
      .def("__bytes__",
           [](const filter_object& f) { return as_bytes(encoded(f, "container")); })
      .def_static(
          "from_bytes",
          [](nb::handle data, const std::string& form, nb::handle secret,
             nb::handle source, nb::handle max_bytes) {
            return decoded(data, form, reading(secret, source, max_bytes));
          },
          nb::arg("data").none(), nb::arg("form") = "container", nb::kw_only(),
          nb::arg("secret") = nb::none(), nb::arg("source") = nb::none(),
          nb::arg("max_bytes") = nb::none())
      .def(
          "save",
          [](const filter_object& f, nb::handle path, const std::string& form) {
            save(f, path_of(path), form);
          },
          nb::arg("path").none(), nb::arg("form") = "container")
      .def_static(
          "load",
          [](nb::handle path, const std::string& form, nb::handle secret,
             nb::handle source, nb::handle max_bytes) {
            return loaded(path_of(path), form, reading(secret, source, max_bytes));
          },
          nb::arg("path").none(), nb::arg("form") = "container", nb::kw_only(),
          nb::arg("secret") = nb::none(), nb::arg("source") = nb::none(),
          nb::arg("max_bytes") = nb::none())
      .def("__getstate__", [](const filter_object& f) { return state_of(f); })
      .def("__setstate__", &init_from_state);
}

}  // namespace bloomery::py
