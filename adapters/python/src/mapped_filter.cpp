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
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

struct mapped_object {
  any_view view;
  hasher hash;
  mutable turns access{};  // readers only

  explicit mapped_object(any_view v)
      : view(std::move(v)),
        hash(std::visit([](const auto& any) { return any.hasher(); }, view)) {}

  bool ask(key k) const noexcept {
    return std::visit([&](const auto& v) noexcept { return v.may_contain(k); }, view);
  }
  void ask(std::span<const key> ks, std::span<bool> out) const noexcept {
    std::visit([&](const auto& v) noexcept { v.may_contain(ks, out); }, view);
  }
  visited<any_view> measurable() const noexcept { return {view}; }
  // For its fields.  `checked`: every chunk first, which the layout does not need.
  described_filter fields(bool checked) const noexcept {
    return std::visit(
        [=](const auto& v) noexcept {
          return described(checked ? v.filter() : v.unverified());
        },
        view);
  }
};

template <class Use>
auto visit(const mapped_object& f, Use use) {
  return std::visit(use, f.view);
}

const container_facts& facts(const mapped_object& f) {
  return std::visit([](const auto& v) -> const container_facts& { return v.facts(); },
                    f.view);
}

}  // namespace

void bind_mapped_filter(nb::module_& m) {
  PyType_Slot slots[] = {{Py_sq_contains, slot(contains<mapped_object>)}, {0, nullptr}};
  auto c = nb::class_<mapped_object>(m, "MappedFilter", nb::type_slots(slots),
                                     nb::is_weak_referenceable());
  c.def(
       "__init__",
       [](mapped_object* self, nb::handle path, nb::handle secret, nb::handle source) {
         const std::string name = path_of(path);
         const reading how(secret, source, nb::none());
         auto view = without_gil([&] { return open_any(name.c_str(), how.options); });
         new (self) mapped_object(must(std::move(view)));
       },
       nb::arg("path").none(), nb::kw_only(), nb::arg("secret") = nb::none(),
       nb::arg("source") = nb::none())
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
            return without_gil([&] {
              return visit(f, [&](const auto& v) { return v.verify_all(threads); });
            });
          },
          nb::arg("threads") = 1)
      .def("unchanged",
           [](const mapped_object& f) {
             return without_gil(
                 [&] { return visit(f, [](const auto& v) { return v.unchanged(); }); });
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
