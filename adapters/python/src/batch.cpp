#include "batch.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow_column.hpp"
#include "buffer_column.hpp"
#include "list_column.hpp"
#include "raise.hpp"

namespace bloomery::py {
namespace {

// What is wanted of a batch: keys of this hasher or, without one, texts.
struct wanted {
  const hasher* hash;
  const take_column& take;

  key_source source() const noexcept {
    return hash != nullptr ? hash->source() : key_source::bytes;
  }
};

void take_checked(const column& c, const wanted& w) {
  const bool by_bytes = is_hashed_as_bytes(w.source());
  if (c.holds() == column::sort::texts && !by_bytes) {
    const std::string text =
        std::string("an array of text or bytes, and this filter was made for ") +
        name_of(w.source());
    set_source_error(text.c_str());
    throw nb::python_error();
  }
  if (c.holds() == column::sort::integers && by_bytes) {
    const std::string text =
        std::string("an array of integers, and this filter was made for ") +
        name_of(w.source()) +
        ": cast it to strings, or make the filter with source='integers'";
    set_source_error(text.c_str());
    throw nb::python_error();
  }
  w.take(c);
}

// --- Python objects ---
// All of them, or, if one is no key, those before it and then the exception; or none.
enum class partial : bool { refused, taken };

void take_objects(const object_list& objects, std::size_t position, partial p,
                  const wanted& w) {
  std::unique_ptr<column> c;
  if (w.hash != nullptr)
    c = hashed_column::of(objects, *w.hash, position);
  else
    c = text_list_column::of(objects, position);
  std::optional<nb::python_error> wrong;
  if (PyErr_Occurred() != nullptr) {
    wrong.emplace();
    if (p == partial::refused) throw std::move(*wrong);
  }
  w.take(*c);
  if (wrong) throw std::move(*wrong);
}

void take_iterator(nb::handle iterator, const wanted& w) {
  constexpr std::size_t some = 4096;
  std::vector<nb::object> items;
  items.reserve(some);
  std::size_t done = 0;
  for (bool goes_on = true; goes_on;) {
    items.clear();
    std::optional<nb::python_error> wrong;
    while (items.size() < some) {
      PyObject* const item = PyIter_Next(iterator.ptr());
      if (item == nullptr) {
        if (PyErr_Occurred() != nullptr) wrong.emplace();
        goes_on = false;
        break;
      }
      items.push_back(nb::steal(item));
    }
    take_objects(object_list(items), done, partial::taken, w);
    if (wrong) throw std::move(*wrong);
    done += items.size();
  }
}

// --- arrays ---
// A buffer while it is in use.
class held_buffer {
 public:
  ~held_buffer() {
    if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
  }
  bool take(nb::handle o) noexcept {
    if (PyObject_GetBuffer(o.ptr(), &buffer_, PyBUF_FULL_RO) == 0) return true;
    buffer_.obj = nullptr;
    PyErr_Clear();
    return false;
  }
  const Py_buffer& operator*() const noexcept { return buffer_; }

 private:
  Py_buffer buffer_{};
};

// False: its elements have to be taken one by one.
bool take_buffer(nb::handle o, const wanted& w) {
  held_buffer b;
  if (!b.take(o)) return false;
  const auto c = column_of(*b);
  if (c == nullptr) return false;
  take_checked(*c, w);
  return true;
}

// --- Arrow ---
template <class T>
T* in_capsule(nb::handle capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule.ptr(), name))
    raise_type(std::string("no capsule of the name ") + name);
  auto* const p = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (p->release == nullptr)
    raise_value(std::string("an ") + name + " that was released");
  return p;
}

void take_arrow_array(nb::handle o, const wanted& w) {
  const nb::object pair = o.attr("__arrow_c_array__")();
  if (!PyTuple_Check(pair.ptr()) || PyTuple_Size(pair.ptr()) != 2)
    raise_type("__arrow_c_array__ gives two capsules");
  // The capsules stay as they are: they release what is in them.
  const auto* schema = in_capsule<arrow::schema>(pair[0], "arrow_schema");
  const auto* array = in_capsule<arrow::array>(pair[1], "arrow_array");
  take_checked(*column_of(*schema, *array), w);
}

[[noreturn]] void raise_stream(arrow::stream& s, int code) {
  const char* const why = s.get_last_error == nullptr ? nullptr : s.get_last_error(&s);
  raise_value("the Arrow stream ended with an error: " +
              (why != nullptr ? std::string(why) : std::to_string(code)));
}

// The maker of the batches may need the GIL for it, in this thread or in another.
int next_of(arrow::stream& s, arrow::array& out) {
  nb::gil_scoped_release release;
  return s.get_next(&s, &out);
}

void take_arrow_stream(nb::handle o, const wanted& w) {
  const nb::object capsule = o.attr("__arrow_c_stream__")();
  auto* const s = in_capsule<arrow::stream>(capsule, "arrow_array_stream");
  if (s->get_schema == nullptr || s->get_next == nullptr)
    raise_value("an Arrow stream that lacks its functions");
  arrow::owned<arrow::schema> schema;
  if (const int code = s->get_schema(s, &schema); code != 0) raise_stream(*s, code);
  if (schema.release == nullptr) raise_value("an Arrow stream without a type");
  for (;;) {
    arrow::owned<arrow::array> array;
    if (const int code = next_of(*s, array); code != 0) raise_stream(*s, code);
    if (array.release == nullptr) return;
    take_checked(*column_of(schema, array), w);
  }
}

// What has the capsules: itself, or what pandas 2 keeps behind a Series of Arrow's types.
nb::object arrow_holder(nb::handle o) {
  if (nb::hasattr(o, "__arrow_c_array__") || nb::hasattr(o, "__arrow_c_stream__"))
    return nb::borrow(o);
  if (!nb::hasattr(o, "array")) return nb::none();
  const nb::object inside = o.attr("array");
  if (!nb::hasattr(inside, "__arrow_array__")) return nb::none();
  return inside.attr("__arrow_array__")();
}

// False: it has none; or only with a package that is not there.
bool take_arrow(nb::handle o, const wanted& w) {
  try {
    const nb::object holder = arrow_holder(o);
    if (holder.is_none()) return false;
    nb::hasattr(holder, "__arrow_c_array__") ? take_arrow_array(holder, w)
                                             : take_arrow_stream(holder, w);
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_ImportError)) throw;
    return false;
  }
  return true;
}

bool is_one_key(nb::handle o) noexcept {
  PyObject* const p = o.ptr();
  return PyUnicode_Check(p) || PyBytes_Check(p) || PyByteArray_Check(p) ||
         PyLong_Check(p) || p == Py_None;
}

bool is_bytes_view(nb::handle o) {
  return PyMemoryView_Check(o.ptr()) && nb::cast<int>(o.attr("itemsize")) == 1;
}

// The buffer of a masked array of NumPy has the masked values, too.
void refuse_mask(nb::handle keys) {
  if (!nb::hasattr(keys, "mask") || !nb::hasattr(keys, "compressed")) return;
  raise_type(
      "a masked array: its buffer ignores the mask.  Write array.compressed() for the "
      "keys that are not masked, or array.data for all of them");
}

void take_batch(nb::handle keys, const wanted& w) {
  PyObject* const o = keys.ptr();
  if (PyList_CheckExact(o) || PyTuple_CheckExact(o))
    return take_objects(object_list(o), 0, partial::refused, w);
  if (is_one_key(keys) || is_bytes_view(keys))
    raise_type(
        "one key where many are expected: for one key write f.add(key) or key in f, here "
        "a list, an array or an iterable of keys");
  if (nb::hasattr(keys, "realised_fpr"))
    raise_type("a filter holds no keys: to unite two filters write f |= g");
  refuse_mask(keys);
  if (take_arrow(keys, w)) return;
  if (PyObject_CheckBuffer(o)) {
    if (take_buffer(keys, w)) return;
  } else if (nb::hasattr(keys, "__array__")) {
    const nb::object array = keys.attr("__array__")();
    if (PyObject_CheckBuffer(array.ptr()) && take_buffer(array, w)) return;
  }
  PyObject* const iterator = PyObject_GetIter(o);
  if (iterator == nullptr) {
    PyErr_Clear();
    const nb::str name(
        nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(o))).attr("__qualname__"));
    raise_type(std::string(name.c_str()) +
               " is no batch of keys: pass a list, an array or an iterable");
  }
  take_iterator(nb::steal(iterator), w);
}

// The sort of an Arrow type, by its letter.
bool is_integer_format(const arrow::schema& s) noexcept {
  if (s.dictionary != nullptr) return is_integer_format(*s.dictionary);
  const std::string_view f = s.format == nullptr ? "" : s.format;
  if (f == "+s" && s.n_children == 1 && s.children != nullptr && s.children[0] != nullptr)
    return is_integer_format(*s.children[0]);
  return f.size() == 1 && std::string_view("cCsSiIlL").find(f) != f.npos;
}

}  // namespace

void for_each_column(nb::handle keys, const hasher& h, const take_column& take) {
  take_batch(keys, {&h, take});
}

void for_each_text_column(nb::handle keys, const take_column& take) {
  take_batch(keys, {nullptr, take});
}

key_source source_of(nb::handle keys) {
  const auto of = [](bool is_integers) {
    return is_integers ? key_source::integers : key_source::bytes;
  };
  PyObject* const o = keys.ptr();
  if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
    const object_list objects(o);
    return of(objects.size() != 0 && PyLong_Check(objects[0]) &&
              !PyBool_Check(objects[0]));
  }
  if (nb::hasattr(keys, "__arrow_c_schema__")) {
    const nb::object capsule = keys.attr("__arrow_c_schema__")();
    return of(is_integer_format(*in_capsule<arrow::schema>(capsule, "arrow_schema")));
  }
  // A stream with a length can be read more than once; a reader cannot.
  if (nb::hasattr(keys, "__arrow_c_stream__") && nb::hasattr(keys, "__len__")) {
    const nb::object capsule = keys.attr("__arrow_c_stream__")();
    auto* const s = in_capsule<arrow::stream>(capsule, "arrow_array_stream");
    arrow::owned<arrow::schema> schema;
    const bool has_type = s->get_schema != nullptr && s->get_schema(s, &schema) == 0;
    return of(has_type && is_integer_format(schema));
  }
  nb::object array = nb::borrow(keys);
  if (!PyObject_CheckBuffer(o)) {
    if (!nb::hasattr(keys, "__array__")) return key_source::bytes;
    array = keys.attr("__array__")();
  }
  held_buffer b;
  if (PyObject_CheckBuffer(array.ptr()) && !is_one_key(keys) && b.take(array)) {
    const auto c = column_of(*b);
    return of(c != nullptr && c->holds() == column::sort::integers);
  }
  return key_source::bytes;
}

}  // namespace bloomery::py
