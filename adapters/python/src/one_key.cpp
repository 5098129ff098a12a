#include "one_key.hpp"

#include <cstring>
#include <string>

#include "raise.hpp"

namespace bloomery::py {

bool key_text::take_bytes(PyObject* o) noexcept {
  if (PyBytes_Check(o)) {
    char* data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(o, &data, &size) != 0) return false;
    text_ = {data, static_cast<std::size_t>(size)};
    return true;
  }
  if (PyByteArray_Check(o)) {
    text_ = {PyByteArray_AsString(o), static_cast<std::size_t>(PyByteArray_Size(o))};
    return true;
  }
  if (!PyMemoryView_Check(o)) return false;
  if (PyObject_GetBuffer(o, &held_, PyBUF_FULL_RO) != 0) return false;
  is_held_ = true;
  if (held_.itemsize != 1 || !PyBuffer_IsContiguous(&held_, 'C')) {
    PyErr_SetString(PyExc_TypeError,
                    "a memoryview that is a key has contiguous bytes: write bytes(view), "
                    "or view.cast('B')");
    return false;
  }
  text_ = {static_cast<const char*>(held_.buf), static_cast<std::size_t>(held_.len)};
  return true;
}

namespace {

// Null: nobody has imported the module, so there are no UUIDs.
PyObject* uuid_class() noexcept {
  static PyObject* found = nullptr;  // for the life of the process
  if (found != nullptr) return found;
  PyObject* const modules = PyImport_GetModuleDict();
  PyObject* const module = PyDict_GetItemString(modules, "uuid");
  if (module == nullptr) return nullptr;
  PyObject* const type = PyObject_GetAttrString(module, "UUID");
  if (type == nullptr || !PyType_Check(type)) return PyErr_Clear(), nullptr;
  return found = type;
}

bool is_uuid(PyObject* o) noexcept {
  PyObject* const type = uuid_class();
  return type != nullptr && PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(type));
}

// Its number, by the class's own slot: a subclass cannot answer instead.
nb::object number_of_uuid(PyObject* o) {
  const nb::object slot = nb::handle(uuid_class()).attr("int");
  return slot.attr("__get__")(nb::handle(o));
}

void write_big_endian(std::uint64_t x, char* to) noexcept {
  for (int i = 0; i < 8; ++i) to[i] = static_cast<char>(x >> (56 - 8 * i));
}

}  // namespace

bool key_text::take_uuid(PyObject* o) noexcept {
  if (PyErr_Occurred() != nullptr || !is_uuid(o)) return false;
  try {
    const nb::object x = number_of_uuid(o);
    if (!PyLong_CheckExact(x.ptr())) return false;
    const nb::object high = nb::steal(PyNumber_Rshift(x.ptr(), nb::int_(64).ptr()));
    if (!high.is_valid()) return false;
    const std::uint64_t low = PyLong_AsUnsignedLongLongMask(x.ptr());
    write_big_endian(PyLong_AsUnsignedLongLong(high.ptr()), uuid_);
    write_big_endian(low, uuid_ + 8);
    if (PyErr_Occurred() != nullptr) return false;
  } catch (nb::python_error& e) {
    return e.restore(), false;
  }
  text_ = {uuid_, sizeof uuid_};
  return true;
}

bool take_integer(PyObject* o, std::uint64_t& x) noexcept {
  if (!PyLong_Check(o) || PyBool_Check(o)) return false;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(o, &overflow);
  x = static_cast<std::uint64_t>(value);
  if (overflow == 0) return value != -1 || PyErr_Occurred() == nullptr;
  if (overflow > 0) {
    x = PyLong_AsUnsignedLongLong(o);
    if (PyErr_Occurred() == nullptr) return true;
    PyErr_Clear();
  }
  PyErr_SetString(PyExc_OverflowError,
                  "an integer key has 64 bits, from -2**63 to 2**64 - 1: of a larger one "
                  "write its bytes or text, for a filter of bytes");
  return false;
}

namespace {

bool is_text(PyObject* o) noexcept {
  return PyUnicode_Check(o) || PyBytes_Check(o) || PyByteArray_Check(o) ||
         PyMemoryView_Check(o);
}

// The name of its class; "numpy.int64" with the module, where that is another's.
std::string class_of(PyObject* o) {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(o)));
  std::string name = nb::cast<std::string>(nb::str(type.attr("__qualname__")));
  const std::string module = nb::cast<std::string>(nb::str(type.attr("__module__")));
  return module == "builtins" ? name : module + "." + name;
}

std::string reason(PyObject* o, key_source source) {
  const std::string of(name_of(source));
  if (PyBool_Check(o))
    return "a bool is no key: for an integer write int(b), for text str(b)";
  if (PyLong_Check(o))
    return "an integer, and this filter was made for " + of +
           ": write str(x), or make the filter with source='integers'";
  if (is_text(o))
    return "text or bytes, and this filter was made for " + of +
           ": make one with source='bytes', the default";
  if (is_uuid(o))
    return is_hashed_as_bytes(source)
               ? "a UUID is no key of another system's filter: write what that system "
                 "hashes, its bytes (u.bytes) or its text (str(u))"
               : "a UUID is 16 bytes, and this filter was made for " + of +
                     ": make one with source='bytes', the default";
  if (o == Py_None) return "None is no key: leave it out";
  if (PyFloat_Check(o))
    return "a float is no key, for equal numbers may differ in bytes (0.0, -0.0): write "
           "its text, or struct.pack('<d', x)";
  const std::string name = class_of(o);
  if (PyIndex_Check(o))
    return name + " is no key: write int(x), or pass a whole array of them";
  return name +
         " is no key: pass str, bytes, uuid.UUID or int.  For another object write the "
         "bytes that "
         "identify it; hash() is different in every process";
}

}  // namespace

void set_no_key(PyObject* o, key_source source, Py_ssize_t position) noexcept {
  if (PyErr_Occurred() != nullptr) return;
  try {
    std::string text = reason(o, source);
    if (position >= 0) text = "key " + std::to_string(position) + ": " + text;
    const bool is_wrong_uuid = !is_hashed_as_bytes(source) && is_uuid(o);
    if (is_text(o) || is_wrong_uuid || (PyLong_Check(o) && !PyBool_Check(o)))
      set_source_error(text.c_str());
    else
      PyErr_SetString(PyExc_TypeError, text.c_str());
  } catch (nb::python_error& e) {
    e.restore();
  } catch (...) {
    PyErr_NoMemory();
  }
}

}  // namespace bloomery::py
