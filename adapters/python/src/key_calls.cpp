#include "key_calls.hpp"

#include <string>

namespace bloomery::py {

void raise_after(std::size_t keys_done, nb::python_error& e) {
  try {
    const nb::object error = nb::borrow(e.value());
    nb::setattr(error, "keys_done", nb::int_(keys_done));
    if (keys_done != 0 && nb::hasattr(error, "add_note"))
      error.attr("add_note")(nb::str(
          (std::to_string(keys_done) + " keys of the batch are in the filter").c_str()));
  } catch (nb::python_error&) {
    // An exception of a class that takes no attributes: it stays as it is.
  }
  e.restore();
  throw nb::python_error();
}

}  // namespace bloomery::py
