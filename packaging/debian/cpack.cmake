# make package: one Debian package of all that is installed.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bloomery)
set(CPACK_PACKAGE_CONTACT "Bloomery contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "approximate-membership filters: tool and C++ library")
set(CPACK_PACKAGE_DESCRIPTION
"Bloom filters and their relatives answer whether a key is in a set: possibly
present, or definitely not present.  They need about ten bits per key at a
false positive rate of 1 %.
.
This package has the command-line tool bloomery, the C++20 library (static and
shared), its C interface, headers, and files for CMake and pkg-config.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/documents.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# Depends: the libraries that programs and shared libraries were linked with.  A program
# that links our static library needs a C++ compiler, which the user has.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What packages that link with ours depend on.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
include(CPack)
