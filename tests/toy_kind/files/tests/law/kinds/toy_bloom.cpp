#include "recipe/toy_bloom.hpp"

#include <bloomery/toy_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<toy_bloom>() {
  return forms_of_kind<toy_bloom>();
}

}  // namespace bloomery::testing
