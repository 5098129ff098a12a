#include "answers.hpp"

#include <memory>
#include <utility>

#include "arrow_abi.hpp"
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

}  // namespace

nb::object as_array(answers&& a) {
  nb::object held = nb::cast(std::move(a), nb::rv_policy::move);
  PyObject* const numpy = PyImport_ImportModule("numpy");
  if (numpy == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_ImportError) == 0) throw nb::python_error();
    PyErr_Clear();
    return held;
  }
  const nb::object module = nb::steal(numpy);
  return module.attr("asarray")(held);
}

void bind_answers(nb::module_& m) {
  PyType_Slot slots[] = {{Py_bf_getbuffer, slot(get_buffer)}, {0, nullptr}};
  nb::class_<answers>(m, "Answers", nb::type_slots(slots))
      .def("__len__", &answers::size)
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
