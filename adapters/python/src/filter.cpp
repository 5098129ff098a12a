#include "filter.hpp"

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <bloomery/receipt.hpp>

#include "collector.hpp"
#include "encoded.hpp"
#include "facts.hpp"
#include "slots.hpp"
#include "without_gil.hpp"

namespace bloomery::py {

added_keys filter_object::add(std::span<const key> ks) noexcept {
  if (ks.empty()) return {};
  if (always_inserts || !filter.can(capability::try_insert)) {
    const auto done = filter.insert(ks);
    if (!done) return {0, done.error()};
    built.reset();
    return {ks.size()};
  }
  const auto n = filter.try_insert(ks);
  if (!n) return {0, n.error()};
  if (*n != 0) built.reset();
  if (*n == ks.size()) return {*n};
  // The next one again, for the reason.
  const auto why = filter.try_insert(ks[*n]);
  return {*n, why ? error{errc::full, "the filter is full"} : why.error()};
}

namespace {

// --- one key ---
PyObject* add(filter_object& f, PyObject* o) noexcept {
  key k;
  if (!hash_key(f.hash, o, k)) return nullptr;
  f.access.before_write();
  if (const auto done = f.add(k); !done) [[unlikely]]
    return set_error(done.error()), nullptr;
  Py_INCREF(Py_None);
  return Py_None;
}

PyObject* add_if_absent(filter_object& f, PyObject* o) noexcept {
  key k;
  if (!hash_key(f.hash, o, k)) return nullptr;
  f.access.before_write();
  const auto is_new = f.filter.insert_if_absent(k);
  if (!is_new) return set_error(is_new.error()), nullptr;
  if (*is_new) f.built.reset();
  return PyBool_FromLong(*is_new);
}

key key_for(const filter_object& f, nb::handle o) {
  key k;
  if (!hash_key(f.hash, o.ptr(), k)) throw nb::python_error();
  return k;
}

PyMethodDef methods[] = {
    {"add", one_argument<filter_object, add>, METH_O,
     "add($self, key, /)\n--\n\nInserts one key."},
    {"insert", one_argument<filter_object, add>, METH_O,
     "insert($self, key, /)\n--\n\nThe name of `add` in the other languages."},
    {"add_if_absent", one_argument<filter_object, add_if_absent>, METH_O,
     "add_if_absent($self, key, /)\n--\n\nInserts one key.  True: it was definitely not "
     "present before."},
    {nullptr, nullptr, 0, nullptr}};

// --- many keys ---
void update(filter_object& f, const nb::args& batches) {
  for (const nb::handle keys : batches) add_all(f, f.hash, keys);
}

// change(keys, answers) -> a result, for each group: what it answered.
template <class Change>
nb::object change_all(filter_object& f, nb::handle keys, Change change) {
  answers out;
  std::size_t done = 0;
  try {
    for_each_column(keys, f.hash, [&](const column& c) {
      bool* const to = out.extend(c);
      std::optional<error> wrong;
      {
        const write_turn turn(f.access);
        const nb::gil_scoped_release release;
        answer_groups(c, f.hash, to, [&](std::span<const key> ks, std::span<bool> here) {
          const auto answered = change(f.filter, ks, here);
          if (!answered) {
            wrong = answered.error();
            return false;
          }
          f.built.reset();
          done += ks.size();
          return true;
        });
      }
      if (wrong) raise(*wrong);
    });
  } catch (nb::python_error& e) {
    raise_after(done, e);
  }
  return as_array(std::move(out));
}

nb::object update_if_absent(filter_object& f, nb::handle keys) {
  return change_all(f, keys, [](any_filter& any, auto ks, auto here) {
    return any.insert_if_absent(ks, here);
  });
}

nb::object erase_present_all(filter_object& f, nb::handle keys) {
  return change_all(f, keys, [](any_filter& any, auto ks, auto here) {
    return any.erase_present(ks, here);
  });
}

// --- erasing ---
using receipt_bytes = std::array<std::byte, receipt::size_in_bytes>;

struct receipt_object {
  receipt_bytes bytes{};
};

receipt_object add_with_receipt(filter_object& f, nb::handle o) {
  const key k = key_for(f, o);
  f.access.before_write();
  const receipt r = must(f.filter.try_insert_with_receipt(k));
  f.built.reset();
  return {r.bytes()};
}

void erase(filter_object& f, receipt_object& r) {
  f.access.before_write();
  must(f.filter.erase(receipt::from_bytes(r.bytes)));
  f.built.reset();
  r.bytes = {};
}

void erase_present(filter_object& f, nb::handle o) {
  const key k = key_for(f, o);
  f.access.before_write();
  must(f.filter.erase_present(k));
  f.built.reset();
}

// --- whole filters ---
filter_object clone(const filter_object& f) {
  const read_turn turn(f.access);
  filter_object made(must(without_gil([&] { return f.filter.clone(); })));
  made.built = f.built;
  made.damaged_chunks = f.damaged_chunks;
  return made;
}

// change(mine, theirs) -> result<void>, without the GIL.
template <class Change>
void combine(filter_object& f, const filter_object& other, Change change) {
  result<void> done;
  {
    const merge_turn turn(f.access, other.access);
    const nb::gil_scoped_release release;
    done = change(f.filter, other.filter);
    if (done) f.built.reset();
  }
  must(done);
}

constexpr auto unite = [](any_filter& mine, const any_filter& theirs) {
  return &mine == &theirs ? result<void>() : mine.merge(theirs);
};
constexpr auto unite_folded = [](any_filter& mine, const any_filter& theirs) {
  return &mine == &theirs ? result<void>() : mine.fold_and_merge(theirs);
};
constexpr auto intersect = [](any_filter& mine, const any_filter& theirs) {
  return &mine == &theirs ? result<void>() : mine.intersect(theirs);
};

bool supports(const filter_object& f, const std::string& call) {
  for (std::size_t i = 0; i < capabilities_known; ++i)
    if (call == name_of(static_cast<capability>(i)))
      return f.filter.can(static_cast<capability>(i));
  raise_invalid("there is no call of that name: bloomery.kinds() lists them");
}

// A call of one kind.
error no_call(const filter_object& f, const char* call) {
  static thread_local std::string text;
  text = "a filter of the kind " + std::string(f.filter.kind()) + " has no " + call;
  return {errc::unsupported, text.c_str()};
}

void rotate(filter_object& f) {
  f.access.before_write();
  must(f.filter.visit([&](auto& any) -> result<void> {
    if constexpr (requires { any.rotate(); })
      return any.rotate(), result<void>();
    else
      return no_call(f, "rotate");
  }));
}

double forgetting(filter_object& f, std::uint64_t gap) {
  f.access.before_read();
  return must(f.filter.visit([&](const auto& any) -> result<double> {
    if constexpr (requires { any.forgetting(gap); })
      return any.forgetting(gap);
    else
      return no_call(f, "forgetting");
  }));
}

void clear(filter_object& f) {
  const write_turn turn(f.access);
  must(without_gil([&] {
    return f.filter.visit([&](auto& any) -> result<void> {
      if constexpr (requires { any.clear(); })
        return any.clear(), result<void>();
      else
        return error{errc::unsupported, "a filter that is only built cannot be cleared"};
    });
  }));
  f.built.reset();
}

using fingerprint_list = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

nb::list fingerprints(const filter_object& f) {
  struct {
    fingerprint_list all;
    bool is_full = false;  // no memory: an exception cannot pass through the library
  } found;
  {
    const read_turn turn(f.access);
    must(without_gil([&] {
      return f.filter.iterate(
          [](void* to, std::uint64_t fingerprint, std::uint64_t copies) {
            auto& list = *static_cast<decltype(found)*>(to);
            try {
              if (!list.is_full) list.all.emplace_back(fingerprint, copies);
            } catch (...) {
              list.is_full = true;
            }
          },
          &found);
    }));
  }
  if (found.is_full) raise(error{errc::out_of_memory, "no memory for the list"});
  nb::list out;
  for (const auto& [fingerprint, copies] : found.all)
    out.append(nb::make_tuple(fingerprint, copies));
  return out;
}

filter_object published(const filter_object& f) {
  const read_turn turn(f.access);
  return filter_object(must(without_gil([&] {
    return f.filter.visit([&](const auto& any) -> result<any_filter> {
      if constexpr (requires { any.to_block_bloom(); }) {
        if (any.shape().layout == cell_layout::line) {
          auto made = any.to_block_bloom();
          return made ? result<any_filter>(any_filter(*std::move(made))) : made.error();
        }
        auto made = any.to_bloom();
        return made ? result<any_filter>(any_filter(*std::move(made))) : made.error();
      } else {
        return no_call(f, "published");
      }
    });
  })));
}

// --- making ---
void make(filter_object* self, nb::handle capacity, nb::handle fpr, nb::kwargs options) {
  options["capacity"] = capacity;
  options["fpr"] = fpr;
  const filter_request r = request_of(options);
  if (r.keys == 0 && !r.size.exact && capacity.is_none())
    raise_invalid("capacity: the number of keys that the filter is for");
  auto made = without_gil([&] { return r.kind->make(r.keys, r.size, r.hash); });
  new (self) filter_object(must(std::move(made)));
}

filter_object build(nb::handle keys, nb::handle fpr, nb::handle capacity,
                    unsigned threads, nb::handle memory_limit, nb::handle temp_dir,
                    nb::kwargs options) {
  options["capacity"] = capacity;
  options["fpr"] = fpr;
  const bool guesses = !options.contains("source");
  const filter_request r =
      request_of(options, guesses ? source_of(keys) : key_source::bytes);
  key_collector all(memory_limit, temp_dir);
  all.add(keys, r.hash);
  return all.finish(r, threads);
}

// --- layout: what a kind that is not of bits lacks is 0 ---
struct layout {
  std::uint64_t bits = 0;
  std::uint64_t hashes = 0;
};

layout layout_of(const filter_object& f) {
  return f.filter.visit([](const auto& any) {
    layout l;
    if constexpr (requires { any.bits(); }) l.bits = any.bits();
    if constexpr (requires { any.hashes(); }) l.hashes = any.hashes();
    if constexpr (requires { any.tag_bits(); }) l.hashes = any.tag_bits();
    return l;
  });
}

result<std::uint64_t> ones(const filter_object& f) {
  return f.filter.visit([&](const auto& any) -> result<std::uint64_t> {
    if constexpr (requires { any.ones(); })
      return any.ones();
    else
      return no_call(f, "ones");
  });
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

void bind_filter(nb::module_& m) {
  nb::class_<receipt_object>(m, "Receipt")
      .def(
          "__init__",
          [](receipt_object* self, nb::bytes stored) {
            if (stored.size() != receipt::size_in_bytes)
              raise_invalid("a receipt is 16 bytes");
            new (self) receipt_object;
            std::memcpy(self->bytes.data(), stored.c_str(), stored.size());
          },
          nb::arg("stored"))
      .def("__bytes__",
           [](const receipt_object& r) {
             return nb::bytes(r.bytes.data(), r.bytes.size());
           })
      .def("__bool__", [](const receipt_object& r) { return r.bytes != receipt_bytes{}; })
      .def(
          "__eq__",
          [](const receipt_object& a, const receipt_object& b) {
            return a.bytes == b.bytes;
          },
          nb::is_operator())
      .def("__hash__",
           [](const receipt_object& r) {
             return nb::hash(nb::bytes(r.bytes.data(), r.bytes.size()));
           })
      .def("__repr__",
           [](const receipt_object& r) {
             return std::string("<bloomery.Receipt") +
                    (r.bytes == receipt_bytes{} ? ", used>" : ">");
           })
      .def("__getstate__",
           [](const receipt_object& r) {
             return nb::bytes(r.bytes.data(), r.bytes.size());
           })
      .def("__setstate__", [](receipt_object* self, nb::bytes stored) {
        if (stored.size() != receipt::size_in_bytes)
          raise_invalid("a receipt is 16 bytes");
        new (self) receipt_object;
        std::memcpy(self->bytes.data(), stored.c_str(), stored.size());
      });

  PyType_Slot slots[] = {{Py_tp_methods, methods},
                         {Py_sq_contains, slot(contains<filter_object>)},
                         {Py_bf_getbuffer, slot(get_encoded<filter_object>)},
                         {Py_bf_releasebuffer, slot(release_encoded)},
                         {0, nullptr}};
  auto c = nb::class_<filter_object>(m, "Filter", nb::type_slots(slots),
                                     nb::is_weak_referenceable());
  c.def("__init__", &make, nb::arg("capacity") = nb::none(), nb::arg("fpr") = nb::none(),
        nb::arg("options"))
      .def_static("build", &build, nb::arg("keys").none(), nb::arg("fpr") = nb::none(),
                  nb::arg("capacity") = nb::none(), nb::arg("threads") = 1,
                  nb::arg("memory_limit") = nb::none(), nb::arg("temp_dir") = nb::none(),
                  nb::arg("options"))
      .def("update", &update, nb::arg("batches"))
      .def(
          "may_contain",
          [](filter_object& f, nb::handle keys) { return as_array(ask_all(f, keys)); },
          nb::arg("keys").none())
      .def(
          "may_contain_arrow",
          [](filter_object& f, nb::handle keys) { return ask_all(f, keys); },
          nb::arg("keys").none())
      .def("update_if_absent", &update_if_absent, nb::arg("keys").none())
      .def("add_with_receipt", &add_with_receipt, nb::arg("key").none())
      .def("erase", &erase, nb::arg("receipt"))
      .def("erase_present", &erase_present, nb::arg("key").none())
      .def("erase_present_all", &erase_present_all, nb::arg("keys").none())
      .def(
          "count",
          [](const filter_object& f, nb::handle o) {
            const key k = key_for(f, o);
            f.access.before_read();
            return must(f.filter.count(k));
          },
          nb::arg("key").none())
      .def("fingerprints", &fingerprints)
      .def(
          "hash_keys",
          [](const filter_object& f, nb::handle keys) { return hash_all(f.hash, keys); },
          nb::arg("keys").none())
      .def(
          "update_hashes",
          [](filter_object& f, nb::handle hashes) {
            add_all(f, f.hash.of(key_source::hashes), hashes);
          },
          nb::arg("hashes").none())
      .def(
          "may_contain_hashes",
          [](filter_object& f, nb::handle hashes) {
            return as_array(ask_all(f, f.hash.of(key_source::hashes), hashes));
          },
          nb::arg("hashes").none())
      .def(
          "hash_key",
          [](const filter_object& f, nb::handle o) { return key_for(f, o).bits(); },
          nb::arg("key").none())
      // whole filters
      .def(
          "merge",
          [](filter_object& f, const filter_object& other, bool fold) {
            fold ? combine(f, other, unite_folded) : combine(f, other, unite);
          },
          nb::arg("other"), nb::kw_only(), nb::arg("fold") = false)
      .def(
          "intersect",
          [](filter_object& f, const filter_object& other) {
            combine(f, other, intersect);
          },
          nb::arg("other"))
      .def(
          "__or__",
          [](const filter_object& a, const filter_object& b) {
            filter_object made = clone(a);
            combine(made, b, unite);
            return made;
          },
          nb::is_operator())
      .def(
          "__and__",
          [](const filter_object& a, const filter_object& b) {
            filter_object made = clone(a);
            combine(made, b, intersect);
            return made;
          },
          nb::is_operator())
      .def(
          "__ior__",
          [](nb::handle_t<filter_object> self, const filter_object& other) {
            combine(nb::cast<filter_object&>(self), other, unite);
            return nb::borrow(self);
          },
          nb::is_operator())
      .def(
          "__iand__",
          [](nb::handle_t<filter_object> self, const filter_object& other) {
            combine(nb::cast<filter_object&>(self), other, intersect);
            return nb::borrow(self);
          },
          nb::is_operator())
      .def(
          "__eq__",
          [](const filter_object& a, const filter_object& b) {
            a.access.before_read();
            b.access.before_read();
            return a.filter == b.filter;
          },
          nb::is_operator())
      .def(
          "fold",
          [](filter_object& f, std::uint64_t divisor) {
            const write_turn turn(f.access);
            must(without_gil([&] { return f.filter.fold(divisor); }));
            f.built.reset();
          },
          nb::arg("divisor"))
      .def("clear", &clear)
      .def("empty_like",
           [](const filter_object& f) {
             const read_turn turn(f.access);
             return filter_object(
                 must(without_gil([&] { return f.filter.empty_like(); })));
           })
      .def("copy", &clone)
      .def("__copy__", &clone)
      .def(
          "__deepcopy__", [](const filter_object& f, nb::handle) { return clone(f); },
          nb::arg("memo"))
      .def("rotate", &rotate)
      .def("forgetting", &forgetting, nb::arg("gap"))
      .def("published", &published)
      .def("supports", &supports, nb::arg("call"))
      .def("__repr__",
           [](const filter_object& f) {
             f.access.before_read();
             return describe("Filter", f.filter.kind(), f.filter.capacity(),
                             f.filter.size_in_bytes(), f.hash);
           })
      // what it is
      .def_prop_ro("kind",
                   [](const filter_object& f) { return std::string(f.filter.kind()); })
      .def_prop_ro("damaged_chunks",
                   [](const filter_object& f) { return f.damaged_chunks; })
      .def_prop_ro("bits",
                   [](const filter_object& f) {
                     f.access.before_read();
                     return layout_of(f).bits;
                   })
      .def_prop_ro("hashes", [](const filter_object& f) { return layout_of(f).hashes; })
      .def("ones",
           [](const filter_object& f) {
             const read_turn turn(f.access);
             return must(without_gil([&] { return ones(f); }));
           })
      // bytes and files
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
  bind_facts(c);
  bind_measures(c);
}

}  // namespace bloomery::py
