#include "answers.hpp"

#include <memory>
#include <new>
#include <utility>

#include "arrow_abi.hpp"
#include "batch.hpp"
#include "raise.hpp"
#include "slots.hpp"

namespace bloomery::py {
namespace {

// --- the buffer protocol ---
int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  answers* const a = instance<answers>(self);
  if (a == nullptr) return view->obj = nullptr, -1;
  static char none;
  static char format[] = "?";
  if (PyBuffer_FillInfo(view, self, a->size() != 0 ? a->data() : &none,
                        static_cast<Py_ssize_t>(a->size()), 0, flags) != 0)
    return -1;
  if ((flags & PyBUF_FORMAT) == PyBUF_FORMAT) view->format = format;
  return 0;
}

// --- Arrow: a boolean array is a bitmap, so the bools are packed ---
struct packed_answers {
  std::vector<std::uint8_t> valid, yes;
  const void* buffers[2];
};

void release_array(arrow::array* a) {
  delete static_cast<packed_answers*>(a->private_data);
  a->release = nullptr;
}
void release_schema(arrow::schema* s) { s->release = nullptr; }

void set_bit(std::vector<std::uint8_t>& bits, std::size_t i) noexcept {
  bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1u << i % 8);
}

arrow::array* packed(const answers& a) {
  auto p = std::make_unique<packed_answers>();
  const std::size_t bytes = a.size() / 8 + 1;  // never none: Arrow wants a pointer
  p->yes.resize(bytes);
  if (a.has_nulls()) p->valid.resize(bytes);
  std::int64_t nulls = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i]) set_bit(p->yes, i);
    if (a.is_null(i))
      ++nulls;
    else if (a.has_nulls())
      set_bit(p->valid, i);
  }
  p->buffers[0] = nulls != 0 ? p->valid.data() : nullptr;
  p->buffers[1] = p->yes.data();
  auto* const array = new arrow::array{};
  array->length = static_cast<std::int64_t>(a.size());
  array->null_count = nulls;
  array->n_buffers = 2;
  array->buffers = p->buffers;
  array->release = release_array;
  array->private_data = p.release();
  return array;
}

template <class T>
nb::object capsule(T* p, const char* name) {
  PyObject* const made = PyCapsule_New(p, name, [](PyObject* c) {
    auto* const held = static_cast<T*>(PyCapsule_GetPointer(c, PyCapsule_GetName(c)));
    if (held->release != nullptr) held->release(held);
    delete held;
  });
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object schema_capsule() {
  constexpr std::int64_t nullable = 2;
  auto* const s = new arrow::schema{};
  s->format = "b";
  s->name = "";
  s->flags = nullable;
  s->release = release_schema;
  return capsule(s, "arrow_schema");
}

std::size_t place(const answers& a, Py_ssize_t i) {
  const auto size = static_cast<Py_ssize_t>(a.size());
  if (i < 0) i += size;
  if (i < 0 || i >= size) throw nb::index_error("there are fewer answers");
  return static_cast<std::size_t>(i);
}

nb::object answer_at(const answers& a, Py_ssize_t i) {
  const std::size_t at = place(a, i);
  if (a.is_null(at)) return nb::none();
  return nb::bool_(a[at]);
}

int get_hashes(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  hash_list* const h = instance<hash_list>(self);
  if (h == nullptr) return -1;
  static std::uint64_t none;
  static char format[] = "Q";
  if (PyBuffer_FillInfo(view, self, h->all.empty() ? &none : h->all.data(),
                        static_cast<Py_ssize_t>(8 * h->all.size()), 0, flags) != 0)
    return -1;
  if ((flags & PyBUF_FORMAT) == PyBUF_FORMAT) view->format = format;
  view->itemsize = 8;
  if (view->shape != nullptr) {
    // One shape for each view: a buffer may outlive the others.
    auto* const shape = new (std::nothrow) Py_ssize_t[2];
    if (shape == nullptr) return PyBuffer_Release(view), PyErr_NoMemory(), -1;
    shape[0] = static_cast<Py_ssize_t>(h->all.size());
    shape[1] = 8;
    view->shape = shape;
    if (view->strides != nullptr) view->strides = shape + 1;
    view->internal = shape;
  }
  return 0;
}

void release_hashes(PyObject*, Py_buffer* view) noexcept {
  delete[] static_cast<Py_ssize_t*>(view->internal);
}

// A buffer as NumPy's array, or as it is.
nb::object as_numpy(nb::object held) {
  PyObject* const numpy = PyImport_ImportModule("numpy");
  if (numpy == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_ImportError) == 0) throw nb::python_error();
    PyErr_Clear();
    return held;
  }
  const nb::object module = nb::steal(numpy);
  return module.attr("asarray")(held);
}

}  // namespace

nb::object as_array(answers&& a) {
  return as_numpy(nb::cast(std::move(a), nb::rv_policy::move));
}

nb::object hash_all(const hasher& h, nb::handle keys) {
  return hash_all(h, keys, [](key k) { return k.bits(); });
}

nb::object hash_all(const hasher& h, nb::handle keys,
                    const std::function<std::uint64_t(key)>& number) {
  hash_list out;
  for_each_column(keys, h, [&](const column& c) {
    if (c.has_nulls()) raise_value("a null has no hash: drop it first");
    const std::size_t first = out.all.size();
    out.all.resize(first + c.size());
    const nb::gil_scoped_release release;
    for_each_group(c, h, [&](std::span<const key> ks, std::size_t at, const bool*) {
      for (std::size_t i = 0; i < ks.size(); ++i) out.all[first + at + i] = number(ks[i]);
      return true;
    });
  });
  return as_numpy(nb::cast(std::move(out), nb::rv_policy::move));
}

// Calls make them.
template <class T>
void refuse_init(nb::class_<T>& c) {
  c.def("__init__", [](T*) { raise_type("made by calls that answer for many keys"); });
}

void bind_answers(nb::module_& m) {
  PyType_Slot of_hashes[] = {{Py_bf_getbuffer, slot(get_hashes)},
                             {Py_bf_releasebuffer, slot(release_hashes)},
                             {0, nullptr}};
  nb::class_<hash_list> hashes(m, "Hashes", nb::type_slots(of_hashes));
  refuse_init(hashes);
  hashes.def("__len__", [](const hash_list& h) { return h.all.size(); });
  PyType_Slot slots[] = {{Py_bf_getbuffer, slot(get_buffer)}, {0, nullptr}};
  nb::class_<answers> c(m, "Answers", nb::type_slots(slots));
  refuse_init(c);
  c.def("__len__", &answers::size)
      .def("__getitem__", &answer_at, nb::arg("index"))
      .def("tolist",
           [](const answers& a) {
             nb::list all;
             for (std::size_t i = 0; i < a.size(); ++i)
               all.append(answer_at(a, static_cast<Py_ssize_t>(i)));
             return all;
           })
      .def("__repr__",
           [](const answers& a) {
             std::size_t yes = 0;
             for (std::size_t i = 0; i < a.size(); ++i) yes += a[i];
             return "<bloomery.Answers: " + std::to_string(yes) + " of " +
                    std::to_string(a.size()) + " possibly present>";
           })
      .def("__arrow_c_schema__", [](const answers&) { return schema_capsule(); })
      .def(
          "__arrow_c_array__",
          [](const answers& a, const nb::object&) {
            return nb::make_tuple(schema_capsule(), capsule(packed(a), "arrow_array"));
          },
          nb::arg("requested_schema") = nb::none());
}

}  // namespace bloomery::py
