#include "filter.hpp"

#include <string>

#include "documented.hpp"
#include "encoded.hpp"
#include "facts.hpp"
#include "fields.hpp"
#include "filter_calls.hpp"
#include "slots.hpp"

namespace bloomery::py {

described_filter filter_object::fields(bool) const noexcept {
  return filter.visit([](const auto& f) noexcept { return described(f); });
}

void bind_filter(nb::module_& m) {
  set_docs("Filter", filter_key_methods);
  PyType_Slot slots[] = {{Py_tp_methods, filter_key_methods},
                         {Py_sq_contains, slot(contains<filter_object>)},
                         {Py_bf_getbuffer, slot(get_encoded<filter_object>)},
                         {Py_bf_releasebuffer, slot(release_encoded)},
                         {0, nullptr}};
  filter_class c(m, "Filter", nb::type_slots(slots), nb::is_weak_referenceable());
  bind_making(c);
  bind_keys(c);
  bind_erasing(m, c);
  bind_whole(c);
  bind_special(c);
  c.def("__repr__",
        [](const filter_object& f) {
          f.access.before_read();
          return describe("Filter", f.filter.kind(), f.filter.capacity(),
                          f.filter.size_in_bytes(), f.hash);
        })
      .def_prop_ro("kind",
                   [](const filter_object& f) { return std::string(f.filter.kind()); })
      .def_prop_ro("damaged_chunks",
                   [](const filter_object& f) { return f.damaged_chunks; });
  bind_facts(c);
  bind_measures(c);
  choose_fields(c);
  bind_fields(c);
}

}  // namespace bloomery::py
