#include "recipe/block_bloom.hpp"

#include <bloomery/block_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<block_bloom>() {
  return forms_of_kind<block_bloom>();
}

}  // namespace bloomery::testing
