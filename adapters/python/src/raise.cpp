#include "raise.hpp"

#include <bloomery/print.hpp>
#include <bloomery/result.hpp>

namespace bloomery::py {
namespace {

PyObject* make_exception = nullptr;  // for the life of the process
PyObject* source_error = nullptr;
PyObject* make_changed = nullptr;

}  // namespace

void find_exceptions() {
  const nb::object errors = nb::module_::import_("bloomery._errors");
  make_exception = nb::object(errors.attr("make")).release().ptr();
  make_changed = nb::object(errors.attr("make_changed")).release().ptr();
  source_error = nb::object(errors.attr("SourceError")).release().ptr();
}

void set_error(const error& e) noexcept {
  const auto text = text_of(e);
  const char* const path = e.path.c_str();
  // Names of files are bytes, of any encoding.
  PyObject* name = PyUnicode_DecodeFSDefault(path);
  PyObject* made =
      name == nullptr
          ? nullptr
          : PyObject_CallFunction(make_exception, "ssKddOi", name_of(e.code),
                                  text.c_str(), static_cast<unsigned long long>(e.at),
                                  e.asked, e.possible, name, e.system_error());
  Py_XDECREF(name);
  if (made == nullptr) return;  // that went wrong, and says so
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made)), made);
  Py_DECREF(made);
}

void set_source_error(const char* text) noexcept { PyErr_SetString(source_error, text); }

void raise(const error& e) {
  set_error(e);
  throw nb::python_error();
}

void raise_type(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}

void raise_value(const std::string& text) {
  PyErr_SetString(PyExc_ValueError, text.c_str());
  throw nb::python_error();
}

void raise_changed(const std::string& path) {
  const nb::object name = nb::steal(PyUnicode_DecodeFSDefault(path.c_str()));
  if (!name.is_valid()) throw nb::python_error();
  const nb::object made = nb::handle(make_changed)(name);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

void raise_invalid(const std::string& text) {
  raise(error{errc::invalid_argument, text.c_str()});
}

}  // namespace bloomery::py
