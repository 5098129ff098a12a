// The module bloomery._core.
#include <bloomery/hasher.hpp>
#include <bloomery/version.hpp>

#include "answers.hpp"
#include "collector.hpp"
#include "concurrent_filter.hpp"
#include "documented.hpp"
#include "files.hpp"
#include "filter.hpp"
#include "foreign.hpp"
#include "mapped_filter.hpp"
#include "object_keys.hpp"
#include "packed.hpp"
#include "raise.hpp"
#include "tables.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

void register_fork_handlers() {
  const nb::module_ os = nb::module_::import_("os");
  if (!nb::hasattr(os, "register_at_fork")) return;
  using nb::literals::operator""_a;
  os.attr("register_at_fork")(
      "before"_a = nb::cpp_function([] { gil_free_work::get().before_fork(); }),
      "after_in_parent"_a =
          nb::cpp_function([] { gil_free_work::get().after_fork_in_parent(); }),
      "after_in_child"_a =
          nb::cpp_function([] { gil_free_work::get().after_fork_in_child(); }));
}

}  // namespace
}  // namespace bloomery::py

NB_MODULE(_core, m) {
  using namespace bloomery::py;
  find_exceptions();
  must(bloomery::check_hashes());
  m.attr("__version__") = BLOOMERY_VERSION_STRING;
  register_fork_handlers();
  bind_answers(m);
  bind_filter(m);
  bind_object_keys(m);
  bind_builder(m);
  bind_mapped_filter(m);
  bind_concurrent_filter(m);
  bind_foreign(m);
  bind_packed(m);
  bind_files(m);
  bind_tables(m);
  document(m);
  // Where users find them, and pickle looks for them.
  for (const auto& [name, value] : nb::cast<nb::dict>(m.attr("__dict__")))
    if (PyType_Check(value.ptr())) nb::setattr(value, "__module__", nb::str("bloomery"));
}
