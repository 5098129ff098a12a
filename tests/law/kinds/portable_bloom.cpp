#include "recipe/portable_bloom.hpp"

#include <bloomery/portable_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<portable_bloom>() {
  return forms_of_kind<portable_bloom>();
}

}  // namespace bloomery::testing
