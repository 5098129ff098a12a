#include "documented.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::py {
namespace {

struct doc_row {
  std::string_view owner, name;
  const char* text;
};
constexpr doc_row all_docs[] = {
#include "docs.inc"
};
constexpr std::size_t count = std::size(all_docs);

// --- one function of C for each function of nanobind ---
PyObject* wrapped[count];  // for the life of the process
PyMethodDef definitions[count];

PyObject* call(PyObject* f, PyObject* self, PyObject* const* args, Py_ssize_t positional,
               PyObject* names) noexcept {
  const auto given = static_cast<std::size_t>(positional);
  if (self == nullptr) return PyObject_Vectorcall(f, args, given, names);
  const std::size_t n =
      given + (names == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(names)));
  std::array<PyObject*, 8> few;
  std::vector<PyObject*> many;
  PyObject** all = few.data();
  if (n >= few.size()) {
    try {
      many.resize(n + 1);
    } catch (...) {
      return PyErr_NoMemory();
    }
    all = many.data();
  }
  all[0] = self;
  std::copy_n(args, n, all + 1);
  return PyObject_Vectorcall(f, all, given + 1, names);
}

template <std::size_t i>
PyObject* call_wrapped(PyObject* self, PyObject* const* args, Py_ssize_t positional,
                       PyObject* names) noexcept {
  return call(wrapped[i], self, args, positional, names);
}

using fast_call = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t,
                                PyObject*) noexcept;
constexpr auto calls = []<std::size_t... i>(std::index_sequence<i...>) {
  return std::array<fast_call, count>{call_wrapped<i>...};
}
(std::make_index_sequence<count>());

PyMethodDef* define(std::size_t i, nb::handle function) {
  wrapped[i] = function.inc_ref().ptr();
  definitions[i] = {all_docs[i].name.data(),
                    reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(calls[i])),
                    METH_FASTCALL | METH_KEYWORDS, all_docs[i].text};
  return &definitions[i];
}

// --- where they are ---
bool is_of_nanobind(nb::handle o) {
  return nb::isinstance<nb::callable>(o) && nb::hasattr(o, "__nb_signature__");
}
bool is_property(nb::handle o) {
  return PyObject_TypeCheck(o.ptr(), &PyProperty_Type) != 0;
}

nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object function_of(std::size_t i, nb::handle f) {
  const nb::str module("bloomery");
  return checked(PyCFunction_NewEx(define(i, f), nullptr, module.ptr()));
}

void document_member(std::size_t i, nb::handle owner) {
  const char* const name = all_docs[i].name.data();
  const nb::object here = nb::object(owner.attr("__dict__"))[name];
  if (is_property(here)) return nb::setattr(here, "__doc__", nb::str(all_docs[i].text));
  if (!is_of_nanobind(here)) return;
  const bool is_bound = std::strstr(all_docs[i].text, "($self") != nullptr;
  if (is_bound) {
    auto* const type = reinterpret_cast<PyTypeObject*>(owner.ptr());
    return nb::setattr(owner, name, checked(PyDescr_NewMethod(type, define(i, here))));
  }
  const nb::object as_static = nb::module_::import_("builtins").attr("staticmethod");
  nb::setattr(owner, name, as_static(function_of(i, here)));
}

}  // namespace

void set_docs(const char* owner, PyMethodDef* methods) noexcept {
  for (; methods->ml_name != nullptr; ++methods)
    for (const doc_row& row : all_docs)
      if (row.owner == owner && row.name == methods->ml_name) methods->ml_doc = row.text;
}

void document(nb::module_& m) {
  // What is behind the calls: the tests compare it with the stubs.
  nb::dict behind;
  m.attr("_behind") = behind;
  for (std::size_t i = 0; i < count; ++i) {
    const doc_row& row = all_docs[i];
    if (row.owner.empty()) {
      nb::setattr(m, row.name.data(), function_of(i, m.attr(row.name.data())));
      behind[row.name.data()] = nb::handle(wrapped[i]);
      continue;
    }
    const nb::object owner = m.attr(row.owner.data());
    if (row.name.empty())
      nb::setattr(owner, "__doc__", nb::str(row.text));
    else
      document_member(i, owner);
    if (wrapped[i] != nullptr)
      behind[(std::string(row.owner) + "." + row.name.data()).c_str()] =
          nb::handle(wrapped[i]);
  }
}

}  // namespace bloomery::py
