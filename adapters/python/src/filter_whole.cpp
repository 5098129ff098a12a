// Whole filters: copies, unions, folding, what is in them.
#include <string>
#include <utility>
#include <vector>

#include "filter_calls.hpp"
#include "without_gil.hpp"

namespace bloomery::py {
namespace {

filter_object clone(const filter_object& f) {
  const read_turn turn(f.access);
  filter_object made(must(without_gil([&] { return f.filter.clone(); })));
  made.built = f.built;
  made.damaged_chunks = f.damaged_chunks;
  return made;
}

// change(mine, theirs) -> result<void>, without the GIL.
template <class Change>
void combine(filter_object& f, const filter_object& other, Change change) {
  result<void> done;
  {
    const merge_turn turn(f.access, other.access);
    const nb::gil_scoped_release release;
    done = change(f.filter, other.filter);
    if (done) f.built.reset();
  }
  must(done);
}

constexpr auto unite = [](any_filter& mine, const any_filter& theirs) {
  return mine.merge(theirs);
};
constexpr auto unite_folded = [](any_filter& mine, const any_filter& theirs) {
  return mine.fold_and_merge(theirs);
};
constexpr auto intersect = [](any_filter& mine, const any_filter& theirs) {
  return mine.intersect(theirs);
};

bool supports(const filter_object& f, const std::string& call) {
  for (std::size_t i = 0; i < capabilities_known; ++i)
    if (call == name_of(static_cast<capability>(i)))
      return f.filter.can(static_cast<capability>(i));
  raise_invalid("there is no call of that name: bloomery.kinds() lists them");
}

void clear(filter_object& f) {
  const write_turn turn(f.access);
  must(without_gil([&] { return f.filter.clear(); }));
  f.built.reset();
}

using fingerprint_list = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

nb::list fingerprints(const filter_object& f) {
  struct {
    fingerprint_list all;
    bool is_full = false;  // no memory: an exception cannot pass through the library
  } found;
  {
    const read_turn turn(f.access);
    must(without_gil([&] {
      return f.filter.iterate(
          [](void* to, std::uint64_t fingerprint, std::uint64_t copies) {
            auto& list = *static_cast<decltype(found)*>(to);
            try {
              if (!list.is_full) list.all.emplace_back(fingerprint, copies);
            } catch (...) {
              list.is_full = true;
            }
          },
          &found);
    }));
  }
  if (found.is_full) raise(error{errc::out_of_memory, "no memory for the list"});
  nb::list out;
  for (const auto& [fingerprint, copies] : found.all)
    out.append(nb::make_tuple(fingerprint, copies));
  return out;
}

}  // namespace

void bind_whole(filter_class& c) {
  c.def(
       "merge",
       [](filter_object& f, const filter_object& other, bool fold) {
         fold ? combine(f, other, unite_folded) : combine(f, other, unite);
       },
       nb::arg("other"), nb::kw_only(), nb::arg("fold") = false)
      .def(
          "intersect",
          [](filter_object& f, const filter_object& other) {
            combine(f, other, intersect);
          },
          nb::arg("other"))
      .def(
          "__or__",
          [](const filter_object& a, const filter_object& b) {
            filter_object made = clone(a);
            combine(made, b, unite);
            return made;
          },
          nb::is_operator())
      .def(
          "__and__",
          [](const filter_object& a, const filter_object& b) {
            filter_object made = clone(a);
            combine(made, b, intersect);
            return made;
          },
          nb::is_operator())
      .def(
          "__ior__",
          [](nb::handle_t<filter_object> self, const filter_object& other) {
            combine(nb::cast<filter_object&>(self), other, unite);
            return nb::borrow(self);
          },
          nb::is_operator())
      .def(
          "__iand__",
          [](nb::handle_t<filter_object> self, const filter_object& other) {
            combine(nb::cast<filter_object&>(self), other, intersect);
            return nb::borrow(self);
          },
          nb::is_operator())
      .def(
          "__eq__",
          [](const filter_object& a, const filter_object& b) {
            a.access.before_read();
            b.access.before_read();
            return a.filter == b.filter;
          },
          nb::is_operator())
      .def(
          "fold",
          [](filter_object& f, std::uint64_t divisor) {
            const write_turn turn(f.access);
            must(without_gil([&] { return f.filter.fold(divisor); }));
            f.built.reset();
          },
          nb::arg("divisor"))
      .def("clear", &clear)
      .def("empty_like",
           [](const filter_object& f) {
             const read_turn turn(f.access);
             return filter_object(
                 must(without_gil([&] { return f.filter.empty_like(); })));
           })
      .def("copy", &clone)
      .def("__copy__", &clone)
      .def(
          "__deepcopy__", [](const filter_object& f, nb::handle) { return clone(f); },
          nb::arg("memo"))
      .def("fingerprints", &fingerprints)
      .def("supports", &supports, nb::arg("call"));
}

}  // namespace bloomery::py
