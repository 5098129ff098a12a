#include "recipe/split_block_bloom.hpp"

#include <bloomery/split_block_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<split_block_bloom>() {
  return forms_of_kind<split_block_bloom>();
}

}  // namespace bloomery::testing
