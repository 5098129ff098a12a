// A program to kill while it saves:
//
//   saver PATH MIB          saves two contents of this size in turn, for ever
//   saver PATH MIB once     saves the first, or says why not: exit status 1
//   saver PATH check        whole, and one of the two: exit status 0
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <bloomery/bloomery.hpp>
#include <bloomery/container.hpp>

namespace {

using namespace bloomery;

int refused(const error& e) {
  std::fprintf(stderr, "%s (%.0f)\n", e.what, e.asked);
  return 1;
}

// Keys of content `which`: a thousand, in a table of any size.
key key_of(unsigned which, std::uint64_t i) {
  return hasher::xxh3().of(key_source::integers).hash_u64(1000 * which + i);
}

result<block_bloom> content(unsigned which, std::uint64_t mib) {
  auto f = block_bloom::make(block_shape{mib << 14, block_profile::line});
  for (std::uint64_t i = 0; f && i < 1000; ++i) f->insert(key_of(which, i));
  return f;
}

int check(const char* path) {
  read_report report;
  const auto f = load_container<block_bloom>(path, {}, &report);
  if (!f) return refused(f.error());
  if (report.damaged_chunks != 0) return refused({errc::corrupt, "damaged"});
  for (const unsigned which : {0u, 1u}) {
    const auto again = content(which, f->size_in_bytes() >> 20);
    if (!again) return refused(again.error());
    if (*again == *f) return 0;
  }
  return refused({errc::corrupt, "neither of the two"});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (std::string_view(argv[2]) == "check") return check(argv[1]);
  const bool once = argc > 3 && std::string_view(argv[3]) == "once";
  const std::uint64_t mib = std::strtoull(argv[2], nullptr, 10);
  const auto first = content(0, mib), second = content(1, mib);
  if (!first || !second) return 2;
  for (unsigned i = 0;; ++i) {
    if (const auto done = save_container(i % 2 == 0 ? *first : *second, argv[1]); !done)
      return refused(done.error());
    if (once) return 0;
    std::puts("saved");  // the first says that there is a file
    std::fflush(stdout);
  }
}
