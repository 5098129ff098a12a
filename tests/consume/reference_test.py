"""The filter of make docs: what our comments become."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/reference"))
import filter as doxygen  # noqa: E402

HEADER = """\
// A thing.  It costs little.
//
//   thing t;
//
// Thread safety: none.
#pragma once
namespace bloomery::inline v1 {

class BLOOMERY_EXPORT thing {
 public:
  // --- one key ---
  // Looks a<b up.  Errors: io.
  bool find(int x) const {
    // not for users
    return x;
  }
  bool find(long x) const;
  bool find(std::nullptr_t) const = delete;

  int size;  // in bytes,
             // all of them
  int plain;
};
// After it.
template <class F>
void use(const F& f);

}  // namespace bloomery::inline v1
"""


class Filter(unittest.TestCase):
    def setUp(self):
        self.out = doxygen.header("thing", HEADER.splitlines())
        self.text = "\n".join(self.out)

    def above(self, code):
        """The documentation directly above this line."""
        at = self.out.index(code)
        begin = at
        while self.out[begin - 1].lstrip().startswith("/// "):
            begin -= 1
        return [line.strip()[4:] for line in self.out[begin:at]]

    def test_the_comment_of_the_file_describes_its_class(self):
        self.assertEqual(self.out[:2], ["/// \\file", "/// A thing."])
        at = self.out.index("class BLOOMERY_EXPORT thing {")
        self.assertIn("/// \\code{.cpp}\n/// thing t;\n/// \\endcode", self.text)
        self.assertEqual(self.out[at - 1], "/// **Thread safety:** none.")

    def test_a_comment_counts_for_every_call_up_to_the_blank_line(self):
        for call in ["  bool find(int x) const {", "  bool find(long x) const;"]:
            self.assertEqual(self.above(call), ["**Errors:** io."])
        self.assertEqual(self.text.count("/// Looks a\\<b up."), 2)
        self.assertEqual(self.above("  int plain;"), [])

    def test_comments_in_functions_and_deleted_calls_are_left_out(self):
        self.assertNotIn("not for users", self.text)
        self.assertNotIn("delete", self.text)

    def test_comments_behind_members(self):
        self.assertIn("  int size;  ///< in bytes,\n             ///< all of them", self.text)

    def test_sections_are_opened_and_closed(self):
        self.assertIn("/// @name One key\n///@{", self.text)
        self.assertLess(self.out.index("///@{"), self.out.index("///@}"))
        self.assertEqual(self.out.index("///@}") + 1, self.out.index("};"))

    def test_templates_and_the_inline_namespace(self):
        self.assertEqual(self.above("template <class F>"), ["After it."])
        self.assertNotIn("v1 {", self.text)


class Pages(unittest.TestCase):
    def test_links_out_of_the_reference_are_plain_text(self):
        page = ["[a](live.md) [b](../spec/x.md) [c](live.md#part)", "```", "[d](../e)", "```"]
        self.assertEqual(doxygen.page(pathlib.Path("docs/x.md"), page),
                         ["[a](live.md) b [c](live.md)", "```", "[d](../e)", "```"])


if __name__ == "__main__":
    unittest.main()
