#include "recipe/quotient.hpp"

#include <bloomery/quotient.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<quotient>() {
  return forms_of_kind<quotient>();
}

}  // namespace bloomery::testing
