// Erasing keys of bloomery.Filter, and bloomery.Receipt.
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <bloomery/any_filter.hpp>

#include "filter_calls.hpp"

namespace bloomery::py {
namespace {

using receipt_bytes = std::array<std::byte, receipt::size_in_bytes>;

struct receipt_object {
  receipt_bytes bytes{};
};

receipt_object add_with_receipt(filter_object& f, nb::handle o, bool numbered) {
  const key k = key_for(f, o);
  f.access.before_write();
  const receipt r = must(numbered ? f.filter.try_insert_with_numbered_receipt(k)
                                  : f.filter.try_insert_with_receipt(k));
  f.built.reset();
  return {r.bytes()};
}

void erase(filter_object& f, receipt_object& r) {
  if (r.bytes == receipt_bytes{})
    raise(error{errc::not_present, "this receipt has been used: nothing has changed"});
  f.access.before_write();
  must(f.filter.erase(receipt::from_bytes(r.bytes)));
  f.built.reset();
  r.bytes = {};
}

void erase_present(filter_object& f, nb::handle o) {
  const key k = key_for(f, o);
  f.access.before_write();
  must(f.filter.erase_present(k));
  f.built.reset();
}

}  // namespace

void bind_erasing(nb::module_& m, filter_class& c) {
  nb::class_<receipt_object>(m, "Receipt")
      .def(
          "__init__",
          [](receipt_object* self, nb::bytes stored) {
            if (stored.size() != receipt::size_in_bytes)
              raise_invalid("a receipt is 24 bytes");
            new (self) receipt_object;
            std::memcpy(self->bytes.data(), stored.c_str(), stored.size());
          },
          nb::arg("stored"))
      .def("__bytes__",
           [](const receipt_object& r) {
             return nb::bytes(r.bytes.data(), r.bytes.size());
           })
      .def("__bool__", [](const receipt_object& r) { return r.bytes != receipt_bytes{}; })
      .def(
          "__eq__",
          [](const receipt_object& a, const receipt_object& b) {
            return a.bytes == b.bytes;
          },
          nb::is_operator())
      .def("__hash__",
           [](const receipt_object& r) {
             return nb::hash(nb::bytes(r.bytes.data(), r.bytes.size()));
           })
      .def("__repr__",
           [](const receipt_object& r) {
             return std::string("<bloomery.Receipt") +
                    (r.bytes == receipt_bytes{} ? ", used>" : ">");
           })
      .def("__getstate__",
           [](const receipt_object& r) {
             return nb::bytes(r.bytes.data(), r.bytes.size());
           })
      .def("__setstate__", [](receipt_object* self, nb::bytes stored) {
        if (stored.size() != receipt::size_in_bytes)
          raise_invalid("a receipt is 24 bytes");
        new (self) receipt_object;
        std::memcpy(self->bytes.data(), stored.c_str(), stored.size());
      });

  c.def("add_with_receipt", &add_with_receipt, nb::arg("key").none(), nb::kw_only(),
        nb::arg("numbered") = false)
      .def("erase", &erase, nb::arg("receipt"))
      .def("erase_present", &erase_present, nb::arg("key").none());
}

}  // namespace bloomery::py
