// Names from outside: whatever their bytes are, readers take the text.
#include <bloomery/detail/live/metrics.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "live/utf8.hpp"
#include "metrics_text.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::families;
using testing::json_of;
using testing::prometheus_of;
using testing::prometheus_text;

struct name_case {
  std::string given, read;
};

// What a name comes back as; in Prometheus's text NUL is replaced too.
void expect_name(const std::string& given, const std::string& prometheus,
                 const std::string& as_json) {
  tenant_metrics tenant{given, {}, {}, false};
  live_metrics m;
  m.name = m.kind = given;
  m.tenants = {&tenant, 1};
  const families got = prometheus_of({&m, 1});
  EXPECT_EQ(got.at("bloomery_info").samples[0].labels.at("kind"), prometheus);
  EXPECT_EQ(got.at("bloomery_killed").samples[0].labels.at("filter"), prometheus);
  EXPECT_EQ(got.at("bloomery_tenant_alarm").samples[0].labels.at("tenant"), prometheus);
  const json row = json_of({&m, 1}).at("filters")[0];  // throws at what is not UTF-8
  EXPECT_EQ(row.at("name"), as_json);
  EXPECT_EQ(row.at("tenants")[0].at("tenant"), as_json);
}

TEST(MetricNames, OfAnyTextComeBack) {
  for (const std::string given :
       {"", "plain", "a\"b", "a\\b", "a\nb", "\\n", "\\\\\"\n\\", "{}=,# HELP x",
        "tab\tcr\r", "\xc3\xa9t\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\xb8",
        "\x7f\x01\x1f"})
    expect_name(given, given, given);
  const std::string nul("a\0b", 3);
  expect_name(nul,
              "a\xef\xbf\xbd"
              "b",
              nul);
}

TEST(MetricNames, ThatAreNotUtf8AreRepaired) {
  const std::string r = "\xef\xbf\xbd";
  for (const name_case& c : {
           name_case{"a\xff"
                     "b",
                     "a" + r + "b"},
           name_case{"\x80", r},                          // no first byte
           name_case{"\xc3", r},                          // cut off
           name_case{"\xe2\x82", r + r},                  //
           name_case{"\xf0\x9f\x8c", r + r + r},          //
           name_case{"\xc3\"", r + "\""},                 // a quote is no second byte
           name_case{"\xc0\xaf", r + r},                  // overlong
           name_case{"\xe0\x9f\xbf", r + r + r},          //
           name_case{"\xf0\x8f\xbf\xbf", r + r + r + r},  //
           name_case{"\xed\xa0\x80", r + r + r},          // a surrogate
           name_case{"\xf4\x90\x80\x80", r + r + r + r},  // beyond U+10FFFF
           name_case{"\xed\x9f\xbf\xf4\x8f\xbf\xbf", "\xed\x9f\xbf\xf4\x8f\xbf\xbf"},
       })
    expect_name(c.given, c.read, c.read);
}

// Every first byte with all kinds of second ones: the text is always one that readers
// take.
TEST(MetricNames, OfAnyBytesGiveTextThatIsRead) {
  std::vector<std::string> names;
  for (int first = 0; first < 256; ++first)
    for (const int second : {0x00, 0x0a, 0x22, 0x5c, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                             0xbf, 0xc0, 0xc2, 0xf4, 0xff})
      names.push_back({'k', static_cast<char>(first), static_cast<char>(second), '.'});
  std::vector<tenant_metrics> tenants;
  for (const std::string& name : names) tenants.push_back({name, {}, {}, false});
  live_metrics m;
  m.tenants = tenants;
  const json row = json_of({&m, 1}).at("filters")[0];
  ASSERT_EQ(row.at("tenants").size(), names.size());
  const std::string text = prometheus_text({&m, 1});
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t size = live::character_size(rest);
    ASSERT_GT(size, 0);
    rest.remove_prefix(size);
  }
  std::size_t lines = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines += line.starts_with("bloomery_tenant_alarm{");
  EXPECT_EQ(lines, names.size());
}

TEST(MetricNames, MayBeLongerThanAnyPiece) {
  const std::string given(5000, 'x');
  expect_name(given, given, given);
}

}  // namespace
}  // namespace bloomery
