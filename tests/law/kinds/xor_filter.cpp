#include "recipe/xor_filter.hpp"

#include <bloomery/xor_filter.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<xor_filter>() {
  return forms_of_kind<xor_filter>();
}

}  // namespace bloomery::testing
