// A stranger's program: it knows the installed headers and nothing else of the tree.
// Ends 0 if the library it was linked with answers as documented.
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include <bloomery/bloomery.hpp>

namespace {

bool answers(const bloomery::any_filter& f) {
  const std::array<std::string_view, 2> keys{"alice", "bob"};
  std::array<bool, 2> perhaps{};
  f.may_contain(keys, perhaps);
  return perhaps[0] && !perhaps[1];
}

int fail(const char* what) {
  std::fprintf(stderr, "bloomery %s: %s\n", BLOOMERY_VERSION_STRING, what);
  return 1;
}

}  // namespace

int main() {
  if (!bloomery::check_hashes()) return fail("a hash gives wrong answers");
  auto made = bloomery::portable_bloom::make({.keys = 1000, .fpr = 0.001});
  if (!made) return fail(made.error().what);
  made->insert("alice");
  const auto bytes = made->encode();
  if (!bytes) return fail(bytes.error().what);
  auto back = bloomery::portable_bloom::decode(bytes->bytes());
  if (!back || !(*back == *made)) return fail("decode does not undo encode");
  if (!answers(*std::move(back))) return fail("wrong answers");
  if (!(made->realised_fpr() < 1e-6)) return fail("one key in 1000, yet many hits");
  return 0;
}
