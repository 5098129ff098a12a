// The forms of all kinds.  An undefined forms_of<F> here: F has no file in kinds/.
#include "filter_types.hpp"
#include "form.hpp"

namespace bloomery::testing {
namespace {

template <class... Fs>
std::vector<form> forms_of_list(type_list<Fs...>) {
  std::vector<form> out;
  for (const auto& forms : {forms_of<Fs>()...})
    out.insert(out.end(), forms.begin(), forms.end());
  return out;
}

}  // namespace

std::vector<form> every_form() { return forms_of_list(filter_types{}); }

std::vector<form> stored_forms() {
  auto out = every_form();
  std::erase_if(out, [](const form& f) { return !f.is_stored; });
  return out;
}

}  // namespace bloomery::testing
