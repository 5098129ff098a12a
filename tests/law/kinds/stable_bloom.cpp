#include "recipe/stable_bloom.hpp"

#include <bloomery/stable_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<stable_bloom>() {
  return forms_of_kind<stable_bloom>();
}

}  // namespace bloomery::testing
