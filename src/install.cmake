# What find_package(bloomery) and pkg-config need.  tests/consume proves both.
set(BLOOMERY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/bloomery)
set(libraries bloomery)
if(BLOOMERY_BOTH_LIBRARIES)
  list(APPEND libraries bloomery_shared)
endif()
install(TARGETS ${libraries} EXPORT bloomery-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/bloomery
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/include/bloomery/version.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bloomery)
install(EXPORT bloomery-targets NAMESPACE bloomery:: DESTINATION ${BLOOMERY_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bloomery-config-version.cmake
  COMPATIBILITY SameMinorVersion)
file(WRITE ${PROJECT_BINARY_DIR}/bloomery-config.cmake [=[
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/bloomery-targets.cmake")
# Adapters for storage engines that were installed with the library.
foreach(component IN LISTS bloomery_FIND_COMPONENTS)
  set(bloomery_${component}_FOUND TRUE)
  if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/bloomery-${component}.cmake")
    include("${CMAKE_CURRENT_LIST_DIR}/bloomery-${component}.cmake")
  else()
    set(bloomery_${component}_FOUND FALSE)
    if(bloomery_FIND_REQUIRED_${component})
      set(bloomery_FOUND FALSE)
      set(bloomery_NOT_FOUND_MESSAGE "no component ${component}: build and install bloomery with \
-DBLOOMERY_ENGINES=ON, where that engine's headers are installed")
    endif()
  endif()
endforeach()
]=])
install(FILES ${PROJECT_BINARY_DIR}/bloomery-config.cmake
              ${PROJECT_BINARY_DIR}/bloomery-config-version.cmake
  DESTINATION ${BLOOMERY_CMAKE_DIR})
# Relative to where the .pc file lies: an installed tree may be moved.
file(RELATIVE_PATH BLOOMERY_PC_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" BLOOMERY_PC_PREFIX "${BLOOMERY_PC_PREFIX}")
configure_file(${PROJECT_SOURCE_DIR}/tools/bloomery.pc.in ${PROJECT_BINARY_DIR}/bloomery.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bloomery.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/bloomery)
