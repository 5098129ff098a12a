// Python, as the files of this folder see it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <bloomery/result.hpp>

namespace nb = nanobind;
