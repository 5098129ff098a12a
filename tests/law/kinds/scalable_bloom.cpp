#include "recipe/scalable_bloom.hpp"

#include <bloomery/scalable_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<scalable_bloom>() {
  return forms_of_kind<scalable_bloom>();
}

}  // namespace bloomery::testing
