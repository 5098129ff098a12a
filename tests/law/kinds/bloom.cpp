#include "recipe/bloom.hpp"

#include <bloomery/bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<bloom>() {
  return forms_of_kind<bloom>();
}

}  // namespace bloomery::testing
