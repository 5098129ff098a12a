#include "encoded.hpp"
#include "without_gil.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

namespace bloomery::py {
namespace {

enum class form : unsigned char { container, portable, bitset };

form form_named(const std::string& name) {
  if (name == "container") return form::container;
  if (name == "portable") return form::portable;
  if (name == "bitset") return form::bitset;
  raise_invalid("form: 'container', 'portable' or 'bitset'");
}

error no_such_form() noexcept {
  return {errc::incompatible, "this kind of filter has no such form"};
}

result<pages> copied(std::span<const std::byte> bytes) noexcept {
  auto made = pages::make(bytes.size());
  if (made) std::memcpy(made->data(), bytes.data(), bytes.size());
  return made;
}

template <class F>
inline constexpr bool is_portable = std::is_same_v<F, portable_bloom>;
template <class F>
inline constexpr bool has_bitset = std::is_same_v<F, split_block_bloom>;

result<pages> encode(const filter_object& f, form as, const write_notes& notes) noexcept {
  return f.filter.visit([&]<class F>(const F& any) -> result<pages> {
    if (as == form::container) return encode_container(any, notes);
    if constexpr (is_portable<F>)
      if (as == form::portable) return any.encode();
    if constexpr (has_bitset<F>)
      if (as == form::bitset) return copied(any.bytes());
    return no_such_form();
  });
}

template <class F>
result<any_filter> any_of(result<F> f) noexcept {
  if (!f) return f.error();
  return any_filter(*std::move(f));
}

filter_object made(result<any_filter> f, const read_report& report) {
  filter_object object(must(std::move(f)));
  object.damaged_chunks = report.damaged_chunks;
  return object;
}

}  // namespace

pages encoded(const filter_object& f, const std::string& name) {
  const form as = form_named(name);
  const read_turn turn(f.access);
  return must(without_gil([&] { return encode(f, as, f.notes()); }));
}

pages encoded(const filter_object& f, const std::string& name,
              const builder_notes& notes) {
  const form as = form_named(name);
  const read_turn turn(f.access);
  return must(without_gil([&] { return encode(f, as, notes.written()); }));
}

nb::bytes as_bytes(const pages& p) { return nb::bytes(p.data(), p.size()); }

void save(const filter_object& f, const std::string& path, const std::string& name) {
  const form as = form_named(name);
  if (as == form::bitset) raise(no_such_form());
  const read_turn turn(f.access);
  must(without_gil([&] {
    return f.filter.visit([&]<class F>(const F& any) -> result<void> {
      if (as == form::container) return save_container(any, path.c_str(), f.notes());
      if constexpr (is_portable<F>)
        return any.save(path.c_str());
      else
        return no_such_form();
    });
  }));
}

filter_object decoded(nb::handle data, const std::string& name, const reading& how) {
  const form as = form_named(name);
  const byte_argument bytes(data);
  const key_source source = how.options.source.value_or(key_source::bytes);
  read_report report;
  auto f = without_gil([&]() -> result<any_filter> {
    switch (as) {
      case form::portable:
        return any_of(portable_bloom::decode(bytes.bytes(), source));
      case form::bitset:
        return any_of(split_block_bloom::from_bitset(bytes.bytes(), source));
      default:
        return decode_any(bytes.bytes(), how.options, &report);
    }
  });
  return made(std::move(f), report);
}

filter_object loaded(const std::string& path, const std::string& name,
                     const reading& how) {
  const form as = form_named(name);
  if (as == form::bitset) raise(no_such_form());
  read_report report;
  auto f = without_gil([&]() -> result<any_filter> {
    if (as == form::portable)
      return any_of(portable_bloom::load(path.c_str(),
                                         how.options.source.value_or(key_source::bytes)));
    return load_any(path.c_str(), how.options, &report);
  });
  return made(std::move(f), report);
}

nb::bytes state_of(const filter_object& f) {
  if (f.hash.id() == hash_id::siphash13)
    raise(error{errc::unsupported,
                "a filter with a secret is not pickled, for its bytes never hold the "
                "secret: send to_bytes(), and give the secret to from_bytes"});
  return as_bytes(encoded(f, "container"));
}

int fill_encoded(Py_buffer* view, PyObject* self, std::unique_ptr<pages> bytes,
                 int flags) noexcept {
  if (PyBuffer_FillInfo(view, self, bytes->data(), static_cast<Py_ssize_t>(bytes->size()),
                        1, flags) != 0)
    return -1;
  view->internal = bytes.release();
  return 0;
}

void release_encoded(PyObject*, Py_buffer* view) noexcept {
  delete static_cast<pages*>(view->internal);
}

}  // namespace bloomery::py
