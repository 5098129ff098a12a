#include "files/written_report.hpp"

#include <utility>

#include "files/filter_output.hpp"
#include "files/filter_report.hpp"
#include "files/query_filter.hpp"
#include "files/source.hpp"
#include "text/notices.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

void print(const std::string& path, const json::members& more, const json& report) {
  json all;
  all["filter"] = path;
  for (const auto& [name, value] : more) all[name] = value;
  for (const auto& [name, value] : report.get<json::members>()) all[name] = value;
  output out;
  out.write(all.dump());
  out.write('\n');
  out.flush();
}

}  // namespace

void check_report_output(const std::string& out, bool as_json) {
  if (as_json && is_standard_output(out))
    throw usage_error(
        "--json and -o -: the filter and its report would both go to standard output");
}

void print_container_report(const std::string& path, const std::string& secret_file,
                            const json::members& more) {
  read_request r;
  r.secret_file = secret_file;
  r.is_shared = true;
  source from = find_source(path, r, need::to_check);
  const query_filter filter = open_filter(from);
  const read_report report = check_container(from);
  print(path, more, filter_report(filter, report));
}

void print_bare_report(const std::string& path, const dialect& how,
                       std::variant<any_filter, foreign_filter> filter,
                       const json::members& more) {
  query_filter::any_source as_source =
      std::visit([](auto& f) { return query_filter::any_source(std::move(f)); }, filter);
  const query_filter f{.path = path,
                       .how = &how,
                       .filter = std::move(as_source),
                       .container = {},
                       .keys = {}};
  print(path, more, filter_report(f, {}));
}

}  // namespace bloomery::cli
