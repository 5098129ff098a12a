// The commands, one function each; commands.cpp has their names, flags and documents.
#pragma once

#include "binding.hpp"

namespace bloomery::redis {

// --- bloom_writes.cpp ---
int bf_reserve(server::context* ctx, server::string** argv, int argc);
int bf_add(server::context* ctx, server::string** argv, int argc);
int bf_madd(server::context* ctx, server::string** argv, int argc);
int bf_insert(server::context* ctx, server::string** argv, int argc);

// --- bloom_reads.cpp ---
int bf_exists(server::context* ctx, server::string** argv, int argc);
int bf_mexists(server::context* ctx, server::string** argv, int argc);
int bf_info(server::context* ctx, server::string** argv, int argc);
int bf_card(server::context* ctx, server::string** argv, int argc);
int bf_debug(server::context* ctx, server::string** argv, int argc);

// --- bloom_dumps.cpp ---
int bf_scandump(server::context* ctx, server::string** argv, int argc);
int bf_loadchunk(server::context* ctx, server::string** argv, int argc);

// --- cuckoo_writes.cpp ---
int cf_reserve(server::context* ctx, server::string** argv, int argc);
int cf_add(server::context* ctx, server::string** argv, int argc);
int cf_addnx(server::context* ctx, server::string** argv, int argc);
int cf_insert(server::context* ctx, server::string** argv, int argc);
int cf_insertnx(server::context* ctx, server::string** argv, int argc);
int cf_del(server::context* ctx, server::string** argv, int argc);
int cf_compact(server::context* ctx, server::string** argv, int argc);

// --- cuckoo_reads.cpp ---
int cf_exists(server::context* ctx, server::string** argv, int argc);
int cf_mexists(server::context* ctx, server::string** argv, int argc);
int cf_count(server::context* ctx, server::string** argv, int argc);
int cf_info(server::context* ctx, server::string** argv, int argc);
int cf_debug(server::context* ctx, server::string** argv, int argc);

// --- cuckoo_dumps.cpp ---
int cf_scandump(server::context* ctx, server::string** argv, int argc);
int cf_loadchunk(server::context* ctx, server::string** argv, int argc);

// Registers all.  False, after a line in the log, if a name is taken.
bool register_commands(server::context* ctx) noexcept;

}  // namespace bloomery::redis
