// The way from keys to a filter in another system's bytes.
#pragma once

#include <bloomery/foreign_filter.hpp>

#include "files/build_filter.hpp"
#include "files/dialects.hpp"

namespace bloomery::cli {

// Sized as its owner would, for o.capacity or the distinct keys read.  Throws failure.
foreign_filter build_foreign(const dialect& how, const build_options& o);

}  // namespace bloomery::cli
