#include "recipe/counting_bloom.hpp"

#include <bloomery/counting_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<counting_bloom>() {
  return forms_of_kind<counting_bloom>();
}

}  // namespace bloomery::testing
