# What must not compile, and the message with which it must be refused.
#   cmake -DCOMPILE="c++;-Idir;..." -DWORK=.. -P check.cmake
#
# Reading the headers takes nearly all of the time, so the files are compiled together, each
# in a namespace of its own: once as they stand, which must succeed (so that a missing
# header does not pass for a refusal), and once with the offending lines, each of which
# must be an error of its own file.
cmake_minimum_required(VERSION 3.25)
set(refusals
  "build_of_integers\;says an integer is a key of a filter of integers: write integers::"
  "concurrent_fuse\;constraint failure|constraints not satisfied"
  "concurrent_insert_into_cuckoo\;no matching"
  "concurrent_locked_bloom\;constraint failure|constraints not satisfied"
  "copy_of_filter\;deleted function|deleted constructor"
  "copy_of_receipt\;deleted function|deleted constructor|implicitly deleted|is private"
  "core_erases_without_try\;says a core that has remove.key. has try_add"
  "core_without_batch\;says the core of a filter lacks find.key. const or find_each"
  "core_without_friends\;says a filter keeps its hasher in hasher_, and has two friends"
  "erase_from_bloom\;no matching"
  "hash_of_rekeyable\;no member named"
  "ignored_result\;ignoring return"
  "insert_integer_into_live\;says an integer is a key of a filter of integers: write integers::"
  "insert_into_const\;no matching|discards qualifiers|not marked const"
  "insert_into_fuse\;no matching"
  "insert_key_in_rekeyable\;no matching"
  "insert_of_bool\;says a bool is no key"
  "insert_of_byte\;says an 8-bit integer may be meant as a byte"
  "insert_of_character\;says a character is no key"
  "insert_of_double\;says a floating-point number is no key"
  "insert_of_enumeration\;says an enumeration is no key"
  "insert_of_integer\;says an integer is a key .*block_bloom::integers::make"
  "insert_of_null\;says a null pointer is no key"
  "insert_of_own_type\;says no key: pass text.* f.from_hash"
  "insert_of_pairs\;says the elements of this range are no keys"
  "insert_of_pointer\;says a pointer is no key"
  "insert_of_utf16\;says of UTF-16 or UTF-32 text write std::as_bytes"
  "insert_text_into_integers\;says text and bytes are no keys of a filter of integers"
  "key_from_integer\;could not convert|no viable conversion"
  "key_of_rekeyable\;no matching"
  "keys_rebuild_rekeyable\;no matching|constraints not satisfied"
  "move_of_reader\;deleted"
  "path_of_view\;cannot convert|could not convert|no viable conversion|no matching"
  "query_of_double\;says a floating-point number is no key"
  "query_of_list\;says keys in braces are many keys"
  "query_of_range\;says many keys have as many answers"
  "result_as_bool\;cannot convert|no viable conversion"
  "source_of_nothing\;says a source of a rebuild is called with"
  "source_without_result\;says a source of bytes must return"
  "try_insert_of_bytes\;no matching")

set(names)
set(headers)
set(bodies)
foreach(refusal ${refusals})
  list(GET refusal 0 name)
  list(APPEND names ${name})
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/${name}.cpp includes REGEX "^#include <")
  list(APPEND headers ${includes})
  string(APPEND bodies
    "namespace ${name} {\n#include \"${CMAKE_CURRENT_LIST_DIR}/${name}.cpp\"\n}\n")
endforeach()
file(GLOB files RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
foreach(file ${files})
  string(REPLACE .cpp "" name ${file})
  if(NOT name IN_LIST names)
    message(SEND_ERROR "${file} has no row in check.cmake")
  endif()
endforeach()

list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(WRITE ${WORK}/all.cpp "${headers}\n${bodies}")  # their own #includes are then empty
set(compile ${COMPILE} -std=c++20 -fsyntax-only -Wall -Wextra -Werror ${WORK}/all.cpp)

if(COMPILE MATCHES "^[^;]*clang")
  list(APPEND compile -ferror-limit=0)  # it stops at 20, and there are more lines than that
endif()

execute_process(COMMAND ${compile} RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the right lines do not compile:\n${said}")
endif()

execute_process(COMMAND ${compile} -DBLOOMERY_NOCOMPILE
  RESULT_VARIABLE status ERROR_VARIABLE said)
if(status EQUAL 0)
  message(FATAL_ERROR "every wrong line compiles")
endif()
foreach(refusal ${refusals})
  list(GET refusal 0 name)
  list(GET refusal 1 expected)
  if(expected MATCHES "^says (.*)")  # a sentence of ours, in a header, because of this file
    set(expected "${CMAKE_MATCH_1}")
    if(said MATCHES "/${name}\\.cpp:[0-9]+" AND
       said MATCHES "error: static[_ ]assert[^\n]*${expected}")
      continue()
    endif()
  endif()
  if(NOT said MATCHES "/${name}\\.cpp:[0-9]+:[0-9]+: error:[^\n]*(${expected})")
    message(SEND_ERROR "${name}.cpp is not refused with '${expected}'")
    set(wrong TRUE)
  endif()
endforeach()
if(wrong)
  message(FATAL_ERROR "${said}")
endif()
