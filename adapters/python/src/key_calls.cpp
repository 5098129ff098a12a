#include "key_calls.hpp"

#include <string>

namespace bloomery::py {

namespace {

// The exception as an object: before Python 3.12 it may be only its class and a text.
nb::object as_object(nb::python_error& e) {
  e.restore();
#if PY_VERSION_HEX >= 0x030C0000
  return nb::steal(PyErr_GetRaisedException());
#else
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return nb::steal(value);
#endif
}

}  // namespace

void raise_after(std::size_t keys_done, nb::python_error& e) {
  const nb::object error = as_object(e);
  try {
    nb::setattr(error, "keys_done", nb::int_(keys_done));
    if (keys_done != 0 && nb::hasattr(error, "add_note"))
      error.attr("add_note")(nb::str(
          (std::to_string(keys_done) + " keys of the batch are in the filter").c_str()));
  } catch (nb::python_error&) {
    // An exception of a class that takes no attributes: it stays as it is.
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

}  // namespace bloomery::py
