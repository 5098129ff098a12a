// Keys that are any objects, one by one: by hash(), in a filter of integers, or by a
// function that makes a key of them.  A type of CPython's own sort, without nanobind: the
// class of Python that derives from it makes its instances.
#include "object_keys.hpp"

#include <cstdint>

#include "filter.hpp"
#include "one_key.hpp"
#include "raise.hpp"
#include "slots.hpp"

namespace bloomery::py {
namespace {

struct object_keys {
  PyObject_HEAD PyObject* filter;  // null until _hold
  PyObject* key_of;                // null: hash()
};

PyTypeObject* filter_type = nullptr;  // bloomery.Filter, for the life of the process

object_keys* as_keys(PyObject* self) noexcept {
  return reinterpret_cast<object_keys*>(self);
}

// The filter and the key of an object in it.  Both are held: hash() and `key_of` may be
// any code, which may give `self` another filter.
class key_call {
 public:
  key_call(PyObject* self, PyObject* o) noexcept
      : filter_(nb::borrow(as_keys(self)->filter)) {
    if (!filter_.is_valid()) [[unlikely]] {
      PyErr_SetString(PyExc_TypeError, "the object was not initialised");
      return;
    }
    filter_object& f = *nb::inst_ptr<filter_object>(filter_);
    if (const nb::object key_of = nb::borrow(as_keys(self)->key_of); key_of.is_valid()) {
      const nb::object made =
          nb::steal(PyObject_CallFunctionObjArgs(key_of.ptr(), o, nullptr));
      if (made.is_valid() && hash_key(f.hash, made.ptr(), key_)) to_ = &f;
    } else if (const Py_hash_t h = PyObject_Hash(o); h != -1) {
      key_ = f.hash.hash_u64(static_cast<std::uint64_t>(h));
      to_ = &f;
    }
  }

  // Null, with an exception set: there is no filter, or no key.
  filter_object* filter() const noexcept { return to_; }
  key the_key() const noexcept { return key_; }

 private:
  nb::object filter_;
  filter_object* to_ = nullptr;
  key key_;
};

PyObject* add_object(PyObject* self, PyObject* o) noexcept {
  const key_call call(self, o);
  filter_object* const f = call.filter();
  if (f == nullptr) return nullptr;
  f->access.before_write();
  if (const auto done = f->add(call.the_key()); !done) [[unlikely]]
    return set_error(done.error()), nullptr;
  Py_INCREF(Py_None);
  return Py_None;
}

int is_in(PyObject* self, PyObject* o) noexcept {
  const key_call call(self, o);
  filter_object* const f = call.filter();
  if (f == nullptr) return -1;
  f->access.before_read();
  return f->ask(call.the_key());
}

void replace_member(PyObject*& member, PyObject* by) noexcept {
  PyObject* const old = member;
  Py_XINCREF(by);
  member = by;
  Py_XDECREF(old);  // may run code, which then sees the new one
}

// _hold(filter, key_of): None is hash(), of a filter of integers.
PyObject* hold_filter(PyObject* self, PyObject* args) noexcept {
  PyObject *filter, *key_of;
  if (!PyArg_ParseTuple(args, "O!O:_hold", filter_type, &filter, &key_of)) return nullptr;
  const filter_object* const f = instance<filter_object>(filter);
  if (f == nullptr) return nullptr;
  const bool by_hash = key_of == Py_None;
  if (by_hash && f->hash.source() != key_source::integers) {
    PyErr_SetString(PyExc_ValueError, "results of hash() are for a filter of integers");
    return nullptr;
  }
  replace_member(as_keys(self)->filter, filter);
  replace_member(as_keys(self)->key_of, by_hash ? nullptr : key_of);
  Py_INCREF(Py_None);
  return Py_None;
}

int visit_keys(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_keys(self)->filter);
  Py_VISIT(as_keys(self)->key_of);
  return 0;
}
int clear_keys(PyObject* self) noexcept {
  replace_member(as_keys(self)->filter, nullptr);
  replace_member(as_keys(self)->key_of, nullptr);
  return 0;
}
void end_keys(PyObject* self) noexcept {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear_keys(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

PyMethodDef object_key_methods[] = {{"add", add_object, METH_O,
                                     "add($self, obj, /)\n--\n\nInserts an object.\n\n"
                                     ">>> from bloomery.rbloom import Bloom\n"
                                     ">>> bf = Bloom(200, 0.01)\n"
                                     ">>> bf.add((\"a tuple\", 1))\n"
                                     ">>> (\"a tuple\", 1) in bf\n"
                                     "True"},
                                    {"_hold", hold_filter, METH_VARARGS, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void bind_object_keys(nb::module_& m) {
  const nb::object filter = m.attr("Filter");
  filter_type = reinterpret_cast<PyTypeObject*>(filter.inc_ref().ptr());
  PyType_Slot slots[] = {
      {Py_tp_methods, object_key_methods}, {Py_sq_contains, slot(is_in)},
      {Py_tp_traverse, slot(visit_keys)},  {Py_tp_clear, slot(clear_keys)},
      {Py_tp_dealloc, slot(end_keys)},     {0, nullptr}};
  PyType_Spec spec = {"bloomery._ObjectKeys", sizeof(object_keys), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                      slots};
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr) throw nb::python_error();
  m.attr("_ObjectKeys") = nb::steal(type);
}

}  // namespace bloomery::py
