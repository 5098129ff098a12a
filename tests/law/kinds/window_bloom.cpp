#include "recipe/window_bloom.hpp"

#include <bloomery/window_bloom.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<window_bloom>() {
  return forms_of_kind<window_bloom>();
}

}  // namespace bloomery::testing
