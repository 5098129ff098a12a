#include "foreign.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "encoded.hpp"
#include "facts.hpp"
#include "filter.hpp"
#include "key_calls.hpp"
#include "slots.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

struct foreign_object {
  foreign_filter filter;
  std::uint64_t damaged_chunks = 0;
  mutable turns access{};

  explicit foreign_object(foreign_filter f, std::uint64_t damaged = 0)
      : filter(std::move(f)), damaged_chunks(damaged) {}
  const foreign_filter& measurable() const noexcept { return filter; }
};

// The variant is a view of a text: one that lasts as long as the process.
std::string_view lasting(const std::string& variant) {
  if (variant.empty()) return {};
  for (std::size_t i = 0; i < dialect_count(); ++i) {
    std::string_view all = dialect_at(i).variants;
    for (std::size_t at = 0; (at = all.find(variant, at)) != all.npos; ++at) {
      const std::size_t end = at + variant.size();
      const bool begins = at == 0 || all[at - 1] == ' ';
      if (begins && (end == all.size() || all[end] == ' ' || all[end] == '('))
        return all.substr(at, variant.size());
    }
  }
  raise_invalid("no variant of that name: bloomery.dialects() lists them");
}

template <class T>
std::optional<T> number(const nb::kwargs& options, const char* name) {
  if (!options.contains(name)) return {};
  const nb::object value = options[name];
  if (value.is_none()) return {};
  T x{};
  if (PyBool_Check(value.ptr()) || !nb::try_cast<T>(value, x)) {
    const std::string text = std::string(name) + ": a number of another type or range";
    raise_type(text);
  }
  return x;
}

key_form form_named(const std::string& name) {
  if (name == "bytes") return key_form::bytes;
  if (name == "text") return key_form::text;
  if (name == "integer") return key_form::integer;
  raise_invalid("key_form: 'bytes', 'text' or 'integer'");
}

// variant, bits, hashes, seed, part, key_form; and for new ones capacity, fpr,
// bits_per_key, growth.
foreign_params params_of(const nb::kwargs& options, bool is_new) {
  constexpr std::string_view reading[] = {"variant", "bits", "hashes",
                                          "seed",    "part", "key_form"};
  constexpr std::string_view making[] = {"capacity", "fpr", "bits_per_key", "growth"};
  for (const auto& [name, value] : options) {
    const auto text = nb::cast<std::string>(name);
    const bool is_known = std::ranges::count(reading, text) != 0 ||
                          (is_new && std::ranges::count(making, text) != 0);
    if (!is_known) raise_type("there is no option '" + text + "'");
  }
  const auto text = [&](const char* name) -> std::string {
    if (!options.contains(name) || nb::handle(options[name]).is_none()) return {};
    return nb::cast<std::string>(options[name]);
  };
  foreign_params p;
  p.variant = lasting(text("variant"));
  p.bits = number<std::uint64_t>(options, "bits");
  p.hashes = number<std::uint32_t>(options, "hashes");
  p.seed = number<std::uint64_t>(options, "seed");
  if (const auto part = number<std::uint64_t>(options, "part")) p.part = *part;
  if (const auto form = text("key_form"); !form.empty()) p.form = form_named(form);
  p.keys = number<std::uint64_t>(options, "capacity").value_or(0);
  p.fpr = number<double>(options, "fpr");
  p.bits_per_key = number<double>(options, "bits_per_key");
  p.growth = number<std::uint32_t>(options, "growth");
  return p;
}

bool take_text(PyObject* o, key_text& k) noexcept {
  if (k.take(o, uuids::refused)) return true;
  set_no_key(o, key_source::bytes);
  return false;
}

int contains_text(PyObject* self, PyObject* o) noexcept {
  foreign_object* const f = instance<foreign_object>(self);
  if (f == nullptr) return -1;
  // First: while it waits, another thread may change the bytes of a bytearray.
  f->access.before_read();
  key_text k;
  if (!take_text(o, k)) return -1;
  return f->filter.may_contain(k.text());
}

void add(foreign_object& f, nb::handle o) {
  f.access.before_write();
  key_text k;
  if (!take_text(o.ptr(), k)) throw nb::python_error();
  must(f.filter.insert(k.text()));
}

// use(texts, first, valid) for each group; false ends it.
template <class Use>
void for_each_texts(const column& c, Use use) {
  std::array<std::string_view, group_size> texts;
  std::array<bool, group_size> valid;
  for (std::size_t first = 0; first < c.size(); first += group_size) {
    const std::size_t n = std::min(group_size, c.size() - first);
    c.texts(first, std::span(texts).first(n));
    valid.fill(true);
    if (c.has_nulls()) c.valid(first, std::span(valid).first(n));
    if (!use(std::span<const std::string_view>(texts).first(n), first, valid.data()))
      return;
  }
}

answers ask_foreign(foreign_object& f, nb::handle keys) {
  answers out;
  for_each_text_column(keys, [&](const column& c) {
    bool* const to = out.extend(c);
    const read_turn turn(f.access);
    const nb::gil_scoped_release release;
    for_each_texts(c, [&](auto texts, std::size_t first, const bool* valid) {
      const std::span<bool> here(to + first, texts.size());
      f.filter.may_contain(texts, here);
      for (std::size_t i = 0; i < here.size(); ++i) here[i] &= valid[i];
      return true;
    });
  });
  return out;
}

void update(foreign_object& f, const nb::args& batches) {
  std::size_t done = 0;
  try {
    for (const nb::handle keys : batches)
      for_each_text_column(keys, [&](const column& c) {
        result<void> last;
        {
          const write_turn turn(f.access);
          const nb::gil_scoped_release release;
          for_each_texts(c, [&](auto texts, std::size_t, const bool* valid) {
            for (std::size_t i = 0; i < texts.size() && last; ++i) {
              if (!valid[i]) continue;
              last = f.filter.insert(texts[i]);
              done += last.has_value();
            }
            return last.has_value();
          });
        }
        must(last);
      });
  } catch (nb::python_error& e) {
    raise_after(done, e);
  }
}

foreign_object* build_foreign(const std::string& dialect, nb::handle keys,
                              const nb::kwargs& options) {
  const foreign_params p = params_of(options, true);
  std::vector<std::string> held;  // columns end before the builder begins
  for_each_text_column(keys, [&](const column& c) {
    for_each_texts(c, [&](auto texts, std::size_t, const bool* valid) {
      for (std::size_t i = 0; i < texts.size(); ++i)
        if (valid[i]) held.emplace_back(texts[i]);
      return true;
    });
  });
  const std::vector<std::string_view> all(held.begin(), held.end());
  return new foreign_object(
      must(without_gil([&] { return foreign_filter::build(dialect, p, all); })));
}

pages encode(const foreign_object& f, const std::string& variant) {
  const std::string_view name = lasting(variant);
  const read_turn turn(f.access);
  return must(without_gil([&] { return f.filter.encode(name); }));
}

// The container around the owner's bytes.
pages wrapped(const foreign_object& f) {
  const read_turn turn(f.access);
  return must(without_gil([&] { return encode_wrapped(f.filter); }));
}

foreign_object* unwrapped(nb::handle data) {
  const byte_argument bytes(data);
  read_report report;
  auto f = without_gil([&] { return decode_wrapped(bytes.bytes(), {}, &report); });
  return new foreign_object(must(std::move(f)), report.damaged_chunks);
}

// Another form of the same bits as a native filter: Parquet's is split-block.
filter_object to_native(const foreign_object& f, nb::handle source) {
  if (f.filter.dialect() != "parquet" ||
      (f.filter.parts() != 1 && f.filter.options().part == foreign_options::every_part))
    raise(error{errc::incompatible,
                "no native kind has the bits of this filter: rebuild from the keys, or "
                "save(container=True), which keeps its bytes"});
  const key_source s = source.is_none() ? key_source::bytes : source_named(source);
  const pages bits = encode(f, "bitset");
  return filter_object(any_filter(must(split_block_bloom::from_bitset(bits.bytes(), s))));
}

int get_bytes(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  foreign_object* const f = instance<foreign_object>(self);
  if (f == nullptr) return -1;
  try {
    return fill_encoded(view, self, std::make_unique<pages>(encode(*f, "")), flags);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (...) {
    PyErr_NoMemory();
  }
  return -1;
}

}  // namespace

void bind_foreign(nb::module_& m) {
  PyType_Slot slots[] = {{Py_sq_contains, slot(contains_text)},
                         {Py_bf_getbuffer, slot(get_bytes)},
                         {Py_bf_releasebuffer, slot(release_encoded)},
                         {0, nullptr}};
  auto c = nb::class_<foreign_object>(m, "ForeignFilter", nb::type_slots(slots),
                                      nb::is_weak_referenceable());
  c.def(
       "__init__",
       [](foreign_object* self, const std::string& dialect, const nb::kwargs& options) {
         const foreign_params p = params_of(options, true);
         auto made = without_gil([&] { return foreign_filter::make(dialect, p); });
         new (self) foreign_object(must(std::move(made)));
       },
       nb::arg("dialect"), nb::arg("options"))
      .def_static("build", &build_foreign, nb::arg("dialect"), nb::arg("keys").none(),
                  nb::arg("options"))
      .def_static(
          "from_bytes",
          [](const std::string& dialect, nb::handle data, const nb::kwargs& options) {
            const foreign_params p = params_of(options, false);
            const byte_argument bytes(data);
            auto f = without_gil(
                [&] { return foreign_filter::decode(dialect, bytes.bytes(), p); });
            return new foreign_object(must(std::move(f)));
          },
          nb::arg("dialect"), nb::arg("data").none(), nb::arg("options"))
      .def_static(
          "load",
          [](const std::string& dialect, nb::handle path, const nb::kwargs& options) {
            const foreign_params p = params_of(options, false);
            const std::string name = path_of(path);
            auto f = without_gil(
                [&] { return foreign_filter::load(dialect, name.c_str(), p); });
            return new foreign_object(must(std::move(f)));
          },
          nb::arg("dialect"), nb::arg("path").none(), nb::arg("options"))
      .def_static("from_container", &unwrapped, nb::arg("data").none())
      .def_static(
          "load_container",
          [](nb::handle path) {
            const std::string name = path_of(path);
            read_report report;
            auto f = without_gil([&] { return load_wrapped(name.c_str(), {}, &report); });
            return new foreign_object(must(std::move(f)), report.damaged_chunks);
          },
          nb::arg("path").none())
      .def(
          "may_contain",
          [](foreign_object& f, nb::handle keys) {
            return as_array(ask_foreign(f, keys));
          },
          nb::arg("keys").none())
      .def(
          "may_contain_arrow",
          [](foreign_object& f, nb::handle keys) { return ask_foreign(f, keys); },
          nb::arg("keys").none())
      .def("add", &add, nb::arg("key").none())
      .def("insert", &add, nb::arg("key").none())
      .def("update", &update, nb::arg("batches"))
      .def(
          "merge",
          [](foreign_object& f, const foreign_object& other) {
            if (&f == &other) {  // as with a copy: refused where two are
              const pages bytes = wrapped(f);
              const auto copy = must(decode_wrapped(bytes.bytes(), {}, nullptr));
              const write_turn turn(f.access);
              return must(without_gil([&] { return f.filter.merge(copy); }));
            }
            const merge_turn turn(f.access, other.access);
            must(without_gil([&] { return f.filter.merge(other.filter); }));
          },
          nb::arg("other"))
      .def(
          "to_bytes",
          [](const foreign_object& f, const std::string& variant) {
            return as_bytes(encode(f, variant));
          },
          nb::arg("variant") = "")
      .def("__bytes__", [](const foreign_object& f) { return as_bytes(encode(f, "")); })
      .def("to_container", [](const foreign_object& f) { return as_bytes(wrapped(f)); })
      .def(
          "save",
          [](const foreign_object& f, nb::handle path, bool container) {
            const std::string name = path_of(path);
            const read_turn turn(f.access);
            must(without_gil([&] {
              return container ? save_wrapped(f.filter, name.c_str())
                               : f.filter.save(name.c_str());
            }));
          },
          nb::arg("path").none(), nb::kw_only(), nb::arg("container") = false)
      .def("to_native", &to_native, nb::kw_only(), nb::arg("source") = nb::none())
      .def_prop_ro(
          "dialect",
          [](const foreign_object& f) { return std::string(f.filter.dialect()); })
      .def_prop_ro(
          "variant",
          [](const foreign_object& f) { return std::string(f.filter.variant()); })
      .def_prop_ro("hash",
                   [](const foreign_object& f) { return std::string(f.filter.hash()); })
      .def_prop_ro("bits", [](const foreign_object& f) { return f.filter.bits(); })
      .def_prop_ro("hashes", [](const foreign_object& f) { return f.filter.hashes(); })
      .def_prop_ro("seed", [](const foreign_object& f) { return f.filter.seed(); })
      .def_prop_ro("parts", [](const foreign_object& f) { return f.filter.parts(); })
      .def_prop_ro("capacity",
                   [](const foreign_object& f) { return f.filter.capacity(); })
      .def_prop_ro("size_in_bytes",
                   [](const foreign_object& f) { return f.filter.size_in_bytes(); })
      .def_prop_ro("damaged_chunks",
                   [](const foreign_object& f) { return f.damaged_chunks; })
      .def("fill",
           [](const foreign_object& f) {
             const read_turn turn(f.access);
             return without_gil([&] { return f.filter.fill(); });
           })
      .def("estimated_keys",
           [](const foreign_object& f) {
             const read_turn turn(f.access);
             return without_gil([&] { return f.filter.estimated_keys(); });
           })
      .def("realised_fpr",
           [](const foreign_object& f) {
             const read_turn turn(f.access);
             return without_gil([&] { return f.filter.realised_fpr(); });
           })
      .def("__getstate__", [](const foreign_object& f) { return as_bytes(wrapped(f)); })
      .def("__setstate__",
           [](foreign_object* self, nb::handle state) {
             const byte_argument bytes(state);
             read_report report;
             auto f = decode_wrapped(bytes.bytes(), {}, &report);
             new (self) foreign_object(must(std::move(f)), report.damaged_chunks);
           })
      .def("__repr__", [](const foreign_object& f) {
        return "<bloomery.ForeignFilter: " + std::string(f.filter.dialect()) +
               (f.filter.variant().empty() ? ""
                                           : ", " + std::string(f.filter.variant())) +
               ", " + size_text(static_cast<double>(f.filter.size_in_bytes())) +
               ", hash " + std::string(f.filter.hash()) + ">";
      });
}

}  // namespace bloomery::py
