// Calls of kinds that forget, and of those with counters.
#include <utility>

#include "filter_calls.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

void rotate(filter_object& f) {
  f.access.before_write();
  must(f.filter.rotate());
}

double forgetting(filter_object& f, std::uint64_t gap) {
  f.access.before_read();
  return must(f.filter.forgetting(gap));
}

void grow(filter_object& f) {
  const write_turn turn(f.access);
  must(without_gil([&] { return f.filter.grow(); }));
}

filter_object published(const filter_object& f) {
  const read_turn turn(f.access);
  return filter_object(must(without_gil([&] { return f.filter.published(); })));
}

}  // namespace

void bind_special(filter_class& c) {
  c.def("rotate", &rotate)
      .def("forgetting", &forgetting, nb::arg("gap"))
      .def("grow", &grow)
      .def("published", &published);
}

}  // namespace bloomery::py
