// Slots of types: functions that Python calls without looking at arguments first, for
// what is called once per key.
#pragma once

#include "python.hpp"

namespace bloomery::py {

template <class Function>
void* slot(Function* f) noexcept {
  return reinterpret_cast<void*>(f);
}

// The object behind `self`.  Null, and TypeError: its __init__ did not run.
template <class T>
T* instance(PyObject* self) noexcept {
  if (!nb::inst_ready(self)) [[unlikely]] {
    PyErr_SetString(PyExc_TypeError, "the object was not initialised");
    return nullptr;
  }
  return nb::inst_ptr<T>(self);
}

// A method of one argument, called as method(T&, argument) -> a new reference, or null
// with an exception set.
template <class T, PyObject* (*method)(T&, PyObject*) noexcept>
PyObject* one_argument(PyObject* self, PyObject* argument) noexcept {
  T* const object = instance<T>(self);
  return object == nullptr ? nullptr : method(*object, argument);
}

}  // namespace bloomery::py
