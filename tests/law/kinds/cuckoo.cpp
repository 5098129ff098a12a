#include "recipe/cuckoo.hpp"

#include <bloomery/cuckoo.hpp>

#include "form_of.hpp"

namespace bloomery::testing {

template <>
std::vector<form> forms_of<cuckoo>() {
  return forms_of_kind<cuckoo>();
}

}  // namespace bloomery::testing
