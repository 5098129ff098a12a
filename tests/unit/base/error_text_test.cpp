#include <bloomery/detail/error_text.hpp>

#include <cerrno>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <bloomery/print.hpp>

namespace bloomery {
namespace {

error of_file(error e, const char* path) {
  e.path = error_path(path);
  return e;
}

TEST(ErrorText, SaysWhatTheSystemSaid) {
  const error e{errc::io, "cannot open", 0, ENOENT};
  EXPECT_EQ(to_string(e), "cannot open: No such file or directory");
  EXPECT_EQ(to_string(of_file(e, "nope")), "cannot open nope: No such file or directory");
  EXPECT_EQ(to_string(of_file(
                {errc::io, "in place, but cannot flush the directory", 0, EIO}, "x")),
            "x: in place, but cannot flush the directory: Input/output error");
  EXPECT_EQ(e.system_error(), ENOENT);
  EXPECT_EQ((error{errc::full, "full", 0, 7}.system_error()), 0);
  // A source that threw has no errno.
  EXPECT_EQ(to_string(error{errc::io, "the source threw"}), "the source threw");
}

TEST(ErrorText, HasTheCodeAndTheNumbersThatAreKnown) {
  EXPECT_EQ(to_string(of_file({errc::corrupt, "truncated", 500, 1199, 488}, "a/b")),
            "a/b: truncated (corrupt at byte 500: needs 1199, found 488)");
  EXPECT_EQ(to_string(error{errc::corrupt, "the number of hashes (k) is 0", 0}),
            "the number of hashes (k) is 0 (corrupt at byte 0)");
  EXPECT_EQ(to_string(error{errc::unsupported, "a later version", 8, 3, 1}),
            "a later version (unsupported at byte 8: found 3, known: 1)");
  EXPECT_EQ(to_string(error{errc::incompatible, "the filters differ in bits", 0, 64, 32}),
            "the filters differ in bits (incompatible: 64 against 32)");
  EXPECT_EQ(to_string(error{errc::unattainable, "below the floor", 0, 1e-9, 2e-7}),
            "below the floor (unattainable: asked 1e-09, possible 2e-07)");
  EXPECT_EQ(to_string(error{errc::invalid_argument, "a rate outside (0, 1)"}),
            "a rate outside (0, 1) (invalid argument)");
}

TEST(ErrorText, KeepsTheEndOfALongPath) {
  const std::string most(error_path::max_length, 'p');
  EXPECT_EQ(error_path(most.c_str()).c_str(), most);
  const std::string longer = "begin" + most + ".bloom";
  const std::string kept = error_path(longer.c_str()).c_str();
  EXPECT_EQ(kept.size(), error_path::max_length);
  EXPECT_TRUE(kept.starts_with("...p"));
  EXPECT_TRUE(kept.ends_with("p.bloom"));
  EXPECT_TRUE(error_path().empty());
  static_assert(sizeof(error) <= 128);
}

// A sentence that is longer than its room is cut, and ends in a zero all the same.
TEST(ErrorText, IsCutWhereItsRoomEnds) {
  const std::string what(2000, 'w');
  const std::string said = to_string(error{errc::full, what.c_str()});
  EXPECT_GT(said.size(), 400u);
  EXPECT_EQ(said, what.substr(0, said.size()));
}

TEST(ErrorText, GoesToStreams) {
  std::ostringstream out;
  out << error{errc::full, "no room"};
  EXPECT_EQ(out.str(), "no room (full)");
}

}  // namespace
}  // namespace bloomery
