// Calls of one kind alone, which have no capability: rotate, forgetting, published.
//
// Nothing else in this folder distinguishes kinds by the names of their members.
#include <string>
#include <utility>

#include "filter_calls.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

error no_call(const filter_object& f, const char* call) {
  static thread_local std::string text;
  text = "a filter of the kind " + std::string(f.filter.kind()) + " has no " + call;
  return {errc::unsupported, text.c_str()};
}

void rotate(filter_object& f) {
  f.access.before_write();
  must(f.filter.visit([&](auto& any) -> result<void> {
    if constexpr (requires { any.rotate(); })
      return any.rotate(), result<void>();
    else
      return no_call(f, "rotate");
  }));
}

double forgetting(filter_object& f, std::uint64_t gap) {
  f.access.before_read();
  return must(f.filter.visit([&](const auto& any) -> result<double> {
    if constexpr (requires { any.forgetting(gap); })
      return any.forgetting(gap);
    else
      return no_call(f, "forgetting");
  }));
}

filter_object published(const filter_object& f) {
  const read_turn turn(f.access);
  return filter_object(must(without_gil([&] {
    return f.filter.visit([&](const auto& any) -> result<any_filter> {
      if constexpr (requires { any.to_block_bloom(); }) {
        if (any.shape().layout == cell_layout::line) {
          auto made = any.to_block_bloom();
          return made ? result<any_filter>(any_filter(*std::move(made))) : made.error();
        }
        auto made = any.to_bloom();
        return made ? result<any_filter>(any_filter(*std::move(made))) : made.error();
      } else {
        return no_call(f, "published");
      }
    });
  })));
}

}  // namespace

void bind_special(filter_class& c) {
  c.def("rotate", &rotate)
      .def("forgetting", &forgetting, nb::arg("gap"))
      .def("published", &published);
}

}  // namespace bloomery::py
