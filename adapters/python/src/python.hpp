// Python, as the files of this folder see it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <bloomery/result.hpp>

namespace nb = nanobind;

namespace bloomery::py {

// use(), without the GIL: for what touches no Python object and raises nothing.
template <class Use>
auto without_gil(Use use) {
  const nb::gil_scoped_release release;
  return use();
}

}  // namespace bloomery::py
