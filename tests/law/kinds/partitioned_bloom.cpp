#include "recipe/partitioned_bloom.hpp"

#include <bloomery/partitioned_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<partitioned_bloom>() {
  return forms_of_kind<partitioned_bloom>();
}

}  // namespace bloomery::testing
