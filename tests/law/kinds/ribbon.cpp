#include "recipe/ribbon.hpp"

#include <bloomery/ribbon.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<ribbon>() {
  return forms_of_kind<ribbon>();
}

}  // namespace bloomery::testing
