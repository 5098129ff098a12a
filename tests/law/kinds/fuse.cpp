#include "recipe/fuse.hpp"

#include <bloomery/fuse.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<fuse>() {
  return forms_of_kind<fuse>();
}

}  // namespace bloomery::testing
