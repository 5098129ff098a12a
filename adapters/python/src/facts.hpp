// Properties and rates of filters, the same for Filter, MappedFilter and
// ConcurrentFilter.
//
// What is known is a property; what reads every bit is a call, without the GIL.
#pragma once

#include <cstdint>
#include <string>

#include <bloomery/hasher.hpp>

#include "python.hpp"
#include "raise.hpp"
#include "turns.hpp"
#include "unchanged.hpp"

namespace bloomery::py {

// "1.2 MiB"
std::string size_text(double bytes);
// <bloomery.Filter: block, for 1,000,000 keys, 1.2 MiB, keys are bytes, hash xxh3>
std::string describe(const char* name, std::string_view kind, std::uint64_t capacity,
                     std::size_t bytes, const hasher& h);

inline nb::object seed_of(const hasher& h) {
  if (h.id() == hash_id::siphash13) return nb::none();
  return nb::int_(h.seed());
}

// Binds the properties of the hasher.  Object: has `hash`.
template <class Object>
void bind_facts(nb::class_<Object>& c) {
  c.def_prop_ro("source", [](const Object& f) { return name_of(f.hash.source()); })
      .def_prop_ro("hash", [](const Object& f) { return name_of(f.hash.id()); })
      .def_prop_ro("seed", [](const Object& f) { return seed_of(f.hash); })
      .def_prop_ro("hash_check", [](const Object& f) { return f.hash.check(); });
}

// Object: has `filter`, with the calls of a filter, and `access`.
template <class Object>
void bind_measures(nb::class_<Object>& c) {
  const auto measured = [](const Object& f, auto use) {
    const read_turn turn(f.access);
    const auto result = without_gil([&] { return use(f.measurable()); });
    check_unchanged(f);
    return result;
  };
  c.def_prop_ro("capacity", [](const Object& f) { return f.measurable().capacity(); })
      .def_prop_ro("size_in_bytes",
                   [](const Object& f) {
                     f.access.before_read();
                     return f.measurable().size_in_bytes();
                   })
      .def("fill",
           [=](const Object& f) {
             return measured(f, [](const auto& any) { return any.fill(); });
           })
      .def("estimated_keys",
           [=](const Object& f) {
             return measured(f, [](const auto& any) { return any.estimated_keys(); });
           })
      .def("realised_fpr",
           [=](const Object& f) {
             return measured(f, [](const auto& any) { return any.realised_fpr(); });
           })
      .def(
          "expected_fpr",
          [=](const Object& f, std::uint64_t keys) {
            return measured(f, [=](const auto& any) { return any.expected_fpr(keys); });
          },
          nb::arg("keys"));
}

}  // namespace bloomery::py
