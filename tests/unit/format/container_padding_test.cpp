// Bytes of a container that mean nothing are zero.  One that is not, under checksums that
// confirm it, is refused in memory, from a file and mapped: it could be another
// version's.
#include <bloomery/container.hpp>
#include <bloomery/filter_view.hpp>

#include <fstream>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "cases.hpp"
#include "container_repair.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <askable F>
class ContainerPadding : public ::testing::Test {
 protected:
  // Refused by every reader, at `place`.
  template <class Result>
  static void refused(const Result& r, std::uint64_t place, const char* reader) {
    ASSERT_FALSE(r) << reader;
    EXPECT_EQ(r.error().code, errc::corrupt) << reader;
    EXPECT_EQ(r.error().at, place) << reader << ": " << r.error().what;
  }
  void everywhere_refused(std::size_t at, std::uint64_t place) {
    SCOPED_TRACE(at);
    auto bytes = bytes_;
    bytes[at] = std::byte{1};
    repair_container(bytes);
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    refused(decode_container<F>(bytes), place, "decode");
    refused(load_container<F>(path_.c_str()), place, "load");
    refused(filter_view<F>::open(path_.c_str()), place, "view");
    refused(filter_view<F>::open(path_.c_str(), {.copy_up_to = 0}), place, "mapped");
    count_cases("files", 1);
  }

  const temp_dir folder_;
  const std::string path_ = folder_ / "f.bloom";
  // Large enough that the payload begins at a page; an odd number of bytes where it can.
  const std::vector<std::byte> bytes_ = [] {
    const auto p = must(encode_container(recipe<F>::of(keys(1, 90'001), 0.01)));
    return std::vector(p.bytes().begin(), p.bytes().end());
  }();
  const container_facts facts_ = must(inspect(bytes_, bytes_.size()));
};
TYPED_TEST_SUITE(ContainerPadding, stored_filters, filter_names);

TYPED_TEST(ContainerPadding, AfterTheHeader) {
  ASSERT_EQ(this->facts_.payload_at, 4096u);
  for (std::size_t at = 128; at < 4096; at += 251) this->everywhere_refused(at, 128);
  this->everywhere_refused(4095, 128);
}

TYPED_TEST(ContainerPadding, AfterThePayload) {
  const auto end = this->facts_.payload_at + this->facts_.payload_bytes;
  if (end == this->facts_.tail_at()) GTEST_SKIP() << "there is none";
  for (auto at = end; at < this->facts_.tail_at(); ++at)
    this->everywhere_refused(static_cast<std::size_t>(at), end);
}

}  // namespace
}  // namespace bloomery::testing
