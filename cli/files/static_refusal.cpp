#include "files/static_refusal.hpp"

#include <fmt/core.h>

#include <bloomery/kinds.hpp>

#include "sizes/kind_choice.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {

template <capability call>
void refuse_static(std::string_view path, const any_filter& f, std::string_view what) {
  if (!f.can(capability::build)) return;
  throw failure(fmt::format(
      "{}: {} a {} filter: it is built from all its keys at once; the file is unchanged: "
      "build it again from all keys, or with a kind that can change: {}",
      path, what, f.kind(), kind_names([](const kind_info& k) {
        // A kind that may be full has try_insert instead.
        return k.can.has(call) ||
               (call == capability::insert && k.can.has(capability::try_insert));
      })));
}

template void refuse_static<capability::insert>(std::string_view, const any_filter&,
                                                std::string_view);
template void refuse_static<capability::erase>(std::string_view, const any_filter&,
                                               std::string_view);

}  // namespace bloomery::cli
