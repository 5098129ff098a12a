# The system's Boost if it is new enough, or what tools/setup.sh bench put into build/.
find_path(BLOOMERY_BOOST_INCLUDE boost/bloom.hpp
  HINTS ${PROJECT_SOURCE_DIR}/build/boost/include)
if(NOT BLOOMERY_BOOST_INCLUDE)
  leave_out("Boost.Bloom" "no headers of Boost 1.89 or later, see tools/setup.sh bench")
else()
  target_sources(bloomery_peers PRIVATE boost_bloom.cpp)
  target_include_directories(bloomery_peers SYSTEM PRIVATE ${BLOOMERY_BOOST_INCLUDE})
  target_compile_definitions(bloomery_peers PRIVATE BLOOMERY_PEER_BOOST)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(boost_bloom.cpp PROPERTIES
      COMPILE_OPTIONS -march=x86-64-v3)
  endif()
endif()
