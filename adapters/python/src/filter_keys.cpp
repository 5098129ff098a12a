// Keys of bloomery.Filter: one by one, and in batches.
#include <optional>
#include <utility>

#include "filter_calls.hpp"
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

key key_for(const filter_object& f, nb::handle o) {
  key k;
  if (!hash_key(f.hash, o.ptr(), k)) throw nb::python_error();
  return k;
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

}  // namespace

PyMethodDef filter_key_methods[] = {
    {"add", one_argument<filter_object, add>, METH_O, nullptr},
    {"insert", one_argument<filter_object, add>, METH_O, nullptr},
    {"add_if_absent", one_argument<filter_object, add_if_absent>, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

void bind_keys(filter_class& c) {
  c.def("update", &update, nb::arg("batches"))
      .def(
          "may_contain",
          [](filter_object& f, nb::handle keys) { return as_array(ask_all(f, keys)); },
          nb::arg("keys").none())
      .def(
          "may_contain_arrow",
          [](filter_object& f, nb::handle keys) { return ask_all(f, keys); },
          nb::arg("keys").none())
      .def("update_if_absent", &update_if_absent, nb::arg("keys").none())
      .def("erase_present_all", &erase_present_all, nb::arg("keys").none())
      .def(
          "count",
          [](const filter_object& f, nb::handle o) {
            const key k = key_for(f, o);
            f.access.before_read();
            return must(f.filter.count(k));
          },
          nb::arg("key").none())
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
          nb::arg("key").none());
}

}  // namespace bloomery::py
