#include "encoded.hpp"
#include "without_gil.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <bloomery/kinds.hpp>

namespace bloomery::py {
namespace {

// "container", or the name of a form that one kind has beside it.
constexpr std::string_view container_form = "container";

bool is_container(const std::string& form) {
  if (form == container_form) return true;
  if (find_form(form) != nullptr) return false;
  std::string names = "form: 'container'";
  for (const kind_info& k : kinds())
    if (k.bare != nullptr) names += std::string(" or '") + k.bare->name + "'";
  raise_invalid(names.c_str());
}

// A form that is a file by itself.
void require_files(const std::string& form) {
  if (!is_container(form) && !find_form(form)->has_files())
    raise(error{errc::incompatible, "this kind of filter has no such form"});
}

result<pages> encode(const filter_object& f, const std::string& form,
                     const write_notes& notes) noexcept {
  return form == container_form ? encode_any(f.filter, notes)
                                : encode_bare(f.filter, form);
}

filter_object made(result<any_filter> f, const read_report& report) {
  filter_object object(must(std::move(f)));
  object.damaged_chunks = report.damaged_chunks;
  return object;
}

}  // namespace

pages encoded(const filter_object& f, const std::string& form) {
  (void)is_container(form);
  const read_turn turn(f.access);
  return must(without_gil([&] { return encode(f, form, f.notes()); }));
}

pages encoded(const filter_object& f, const std::string& form,
              const builder_notes& notes) {
  (void)is_container(form);
  const read_turn turn(f.access);
  return must(without_gil([&] { return encode(f, form, notes.written()); }));
}

nb::bytes as_bytes(const pages& p) { return nb::bytes(p.data(), p.size()); }

void save(const filter_object& f, const std::string& path, const std::string& form) {
  require_files(form);
  const read_turn turn(f.access);
  must(without_gil([&] {
    return form == container_form ? save_any(f.filter, path.c_str(), f.notes())
                                  : save_bare(f.filter, form, path.c_str());
  }));
}

filter_object decoded(nb::handle data, const std::string& form, const reading& how) {
  const bool contained = is_container(form);
  const byte_argument bytes(data);
  const key_source source = how.options.source.value_or(key_source::bytes);
  read_report report;
  auto f = without_gil([&] {
    return contained ? decode_any(bytes.bytes(), how.options, &report)
                     : decode_bare(form, bytes.bytes(), source);
  });
  return made(std::move(f), report);
}

filter_object loaded(const std::string& path, const std::string& form,
                     const reading& how) {
  require_files(form);
  read_report report;
  auto f = without_gil([&] {
    return form == container_form
               ? load_any(path.c_str(), how.options, &report)
               : load_bare(form, path.c_str(),
                           how.options.source.value_or(key_source::bytes));
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
