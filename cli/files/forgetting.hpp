// What is said of filters that forget, whenever one is made or asked.
#pragma once

#include <string>

#include <bloomery/any_filter.hpp>
#include <bloomery/kinds.hpp>

#include "files/query_filter.hpp"

namespace bloomery::cli {

// "a window filter forgets: it finds the last 1,000 keys, ..."; empty: it does not.
std::string forgetting_text(const any_filter& f);
std::string forgetting_text(const query_filter& f);

// Prints forgetting_text on standard error, unless `quiet` or empty.
template <class F>
void note_forgetting(const std::string& path, const F& f, bool quiet);

// Throws failure: the kind forgets, so that it cannot be checked for keys.
void refuse_to_check(const std::string& path, const container_facts& f);

}  // namespace bloomery::cli
