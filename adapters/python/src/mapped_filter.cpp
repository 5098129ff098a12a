#include "mapped_filter.hpp"

#include <string>
#include <utility>

#include <bloomery/any_filter.hpp>

#include "facts.hpp"
#include "fields.hpp"
#include "key_calls.hpp"
#include "options.hpp"
#include "slots.hpp"
#include "visited.hpp"
#include "watched_file.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

struct mapped_object {
  watched_file<any_view> file;
  hasher hash;
  nb::object source, copy;  // as they were given
  mutable turns access{};   // readers only

  mapped_object(watched_file<any_view> f, nb::handle source_given, nb::handle copy_given)
      : file(std::move(f)),
        hash(std::visit([](const auto& any) { return any.hasher(); }, *file)),
        source(nb::borrow(source_given)),
        copy(nb::borrow(copy_given)) {}

  bool ask(key k) const noexcept {
    return std::visit([&](const auto& v) noexcept { return v.may_contain(k); }, *file);
  }
  void ask(std::span<const key> ks, std::span<bool> out) const noexcept {
    std::visit([&](const auto& v) noexcept { v.may_contain(ks, out); }, *file);
  }
  visited<any_view> measurable() const noexcept { return {*file}; }
  // For its fields.  `checked`: every chunk first, which the layout does not need.
  described_filter fields(bool checked) const noexcept {
    return std::visit(
        [=](const auto& v) noexcept {
          return described(checked ? v.filter() : v.unverified());
        },
        *file);
  }
};

template <class Use>
auto visit(const mapped_object& f, Use use) {
  return std::visit(use, *f.file);
}

const container_facts& facts(const mapped_object& f) {
  return std::visit([](const auto& v) -> const container_facts& { return v.facts(); },
                    *f.file);
}

void open(mapped_object* self, const std::string& path, nb::handle secret,
          nb::handle source, nb::handle copy) {
  reading how(secret, source, nb::none());
  how.options.copy_up_to = copied_up_to(copy);
  new (self) mapped_object(
      watched_file<any_view>::open(
          path, [&](const input_file& file) { return open_any(file, how.options); }),
      source, copy);
}

// --- pickle: where the file is, and which file it was ---
// A hash of all that is not payload: the header, and a checksum of each chunk.
std::uint64_t fingerprint(const input_file& file) {
  const container_facts facts = must(inspect(file));
  const std::uint64_t size = facts.file_bytes() - facts.payload_bytes;
  pages bytes = must(pages::make(static_cast<std::size_t>(size)));
  const auto head = static_cast<std::size_t>(facts.payload_at);
  must(file.read_at(0, bytes.bytes().first(head)));
  must(file.read_at(facts.payload_at + facts.payload_bytes, bytes.bytes().subspan(head)));
  return hasher::xxh3()
      .hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()})
      .bits();
}

nb::tuple state_of(const mapped_object& f) {
  if (f.hash.id() == hash_id::siphash13)
    raise(error{errc::unsupported,
                "a filter with a secret is not pickled: send the path, and give the "
                "secret to MappedFilter"});
  f.file.check();
  const input_file file = must(input_file::open(f.file.path().c_str()));
  const file_stamp &now = file.stamp(), &then = f.file.stamp();
  if (now.device != then.device || now.inode != then.inode || now.size != then.size ||
      now.written_ns != then.written_ns)
    raise_changed(f.file.path());
  const nb::bytes path(f.file.path().data(), f.file.path().size());
  return nb::make_tuple(path, now.size, fingerprint(file), f.source, f.copy);
}

void init_from_state(mapped_object* self, const nb::tuple& state) {
  if (state.size() != 5) raise_invalid("no state of a MappedFilter");
  const std::string path = path_of(state[0]);
  {
    const input_file file = must(input_file::open(path.c_str()));
    if (file.size() != nb::cast<std::uint64_t>(state[1]) ||
        fingerprint(file) != nb::cast<std::uint64_t>(state[2]))
      raise_changed(path);
  }
  open(self, path, nb::none(), state[3], state[4]);
}

}  // namespace

void bind_mapped_filter(nb::module_& m) {
  PyType_Slot slots[] = {{Py_sq_contains, slot(contains<mapped_object>)}, {0, nullptr}};
  auto c = nb::class_<mapped_object>(m, "MappedFilter", nb::type_slots(slots),
                                     nb::is_weak_referenceable());
  c.def(
       "__init__",
       [](mapped_object* self, nb::handle path, nb::handle secret, nb::handle source,
          nb::handle copy) { open(self, absolute_path(path), secret, source, copy); },
       nb::arg("path").none(), nb::kw_only(), nb::arg("secret") = nb::none(),
       nb::arg("source") = nb::none(), nb::arg("copy") = nb::none())
      .def("__getstate__", &state_of)
      .def("__setstate__", &init_from_state, nb::arg("state"))
      .def_prop_ro("path",
                   [](const mapped_object& f) {
                     return nb::steal(PyUnicode_DecodeFSDefault(f.file.path().c_str()));
                   })
      .def(
          "may_contain",
          [](mapped_object& f, nb::handle keys) { return as_array(ask_all(f, keys)); },
          nb::arg("keys").none())
      .def(
          "may_contain_arrow",
          [](mapped_object& f, nb::handle keys) { return ask_all(f, keys); },
          nb::arg("keys").none())
      .def_prop_ro("kind", [](const mapped_object& f) { return name_of(facts(f).kind); })
      .def_prop_ro("damaged_chunks",
                   [](const mapped_object& f) {
                     return visit(f, [](const auto& v) { return v.damaged_chunks(); });
                   })
      .def_prop_ro("is_verified",
                   [](const mapped_object& f) {
                     return visit(f, [](const auto& v) { return v.is_verified(); });
                   })
      .def(
          "verify",
          [](const mapped_object& f, unsigned threads) {
            if (threads == 0) raise_invalid("threads: at least one");
            const auto damaged = without_gil([&] {
              return visit(f, [&](const auto& v) { return v.verify_all(threads); });
            });
            f.file.check();
            return damaged;
          },
          nb::arg("threads") = 1)
      .def("unchanged",
           [](const mapped_object& f) {
             return without_gil([&] { return f.file.unchanged(); });
           })
      .def("__repr__", [](const mapped_object& f) {
        return describe("MappedFilter", name_of(facts(f).kind), facts(f).capacity,
                        f.measurable().size_in_bytes(), f.hash);
      });
  bind_facts(c);
  bind_measures(c);
  bind_fields(c);
}

}  // namespace bloomery::py
