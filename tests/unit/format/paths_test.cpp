// Files by every sort of path, and errors that name theirs.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/bloomery.hpp>

#include "must.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

block_bloom sample() {
  block_bloom f = must(block_bloom::make({.keys = 100}));
  f.insert("alice");
  return f;
}

TEST(Paths, AreCharactersStringsOrFilesystemPaths) {
  const temp_dir folder;
  const std::filesystem::path path = folder.path() / "f.bloom";
  const std::string text = path.string();
  const block_bloom f = sample();
  must(f.save(path));
  EXPECT_TRUE(must(block_bloom::load(text)) == f);
  EXPECT_TRUE(must(block_bloom::load(text.c_str())) == f);
  EXPECT_TRUE(must(filter_view<block_bloom>::open(path)).may_contain("alice"));
  EXPECT_TRUE(must(load_any(path)).may_contain("alice"));
  EXPECT_EQ(must(inspect(text)).kind, container_kind::block);
  EXPECT_EQ(must(verify_container(path)).damaged_chunks, 0u);
}

// Whatever is called with a path, its error names it.
template <class Result>
std::string said(const Result& r) {
  return r ? "nothing" : to_string(r.error());
}

TEST(Paths, AreNamedByErrors) {
  const temp_dir folder;
  const std::string none = folder / "none.bloom", there = folder / "no/such/f.bloom";
  const std::string missing = "cannot open " + none + ": No such file or directory";
  ASSERT_LE(none.size(), error_path::max_length);
  EXPECT_EQ(said(block_bloom::load(none)), missing);
  EXPECT_EQ(said(portable_bloom::load(none)), missing);
  EXPECT_EQ(said(filter_view<bloom>::open(none)), missing);
  EXPECT_EQ(said(packed_set::open(none)), missing);
  EXPECT_EQ(said(load_any(none)), missing);
  EXPECT_EQ(said(open_any(none)), missing);
  EXPECT_EQ(said(inspect(none)), missing);
  EXPECT_EQ(said(verify_container(none)), missing);
  EXPECT_EQ(said(load_wrapped(none)), missing);
  EXPECT_EQ(said(foreign_filter::load("guava", none)), missing);

  const std::string refused = "cannot create " + there + ": No such file or directory";
  EXPECT_EQ(said(sample().save(there)), refused);
  EXPECT_EQ(said(must(portable_bloom::make({.keys = 9})).save(there)), refused);
  EXPECT_EQ(said(save_any(sample(), there)), refused);
  EXPECT_EQ(said(packed_writer::create(there)), refused);
  const auto shared = must(concurrent<block_bloom>::adopt(sample()));
  EXPECT_EQ(said(save_snapshot(shared, there)), refused);
}

TEST(Paths, AreNamedWhereBytesAreToBlame) {
  const temp_dir folder;
  const std::string path = folder / "f.bloom";
  must(sample().save(path));
  std::filesystem::resize_file(path, 100);
  for (const std::string& text :
       {said(block_bloom::load(path)), said(inspect(path)), said(load_any(path)),
        said(open_any(path)), said(verify_container(path)), said(packed_set::open(path)),
        said(filter_view<block_bloom>::open(path))}) {
    EXPECT_TRUE(text.starts_with(path + ": ")) << text;
    EXPECT_NE(text.find("corrupt at byte"), text.npos) << text;
  }
}

}  // namespace
}  // namespace bloomery::testing
