# What find_package(bloomery) and pkg-config need of the C interface: bloomery::c, bloomery_c.
install(TARGETS ${libraries} EXPORT bloomery-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/bloomery DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# What a C compiler does not link of itself: the C++ runtime, and for an archive all else.
set(BLOOMERY_C_PRIVATE_LIBS)
if(NOT BUILD_SHARED_LIBS)
  set(runtime)
  foreach(name IN ITEMS stdc++ c++ c++abi)
    if(name IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
      list(APPEND runtime ${name})
    endif()
  endforeach()
  foreach(name IN ITEMS bloomery ${runtime} m)
    string(APPEND BLOOMERY_C_PRIVATE_LIBS "-l${name} ")
  endforeach()
  string(APPEND BLOOMERY_C_PRIVATE_LIBS "-pthread")
  # A project of C alone, which finds the package, is linked by its C compiler.
  target_link_libraries(bloomery_c
    INTERFACE "$<INSTALL_INTERFACE:$<$<LINK_LANGUAGE:C>:${runtime};m>>")
endif()
file(RELATIVE_PATH BLOOMERY_PC_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" BLOOMERY_PC_PREFIX "${BLOOMERY_PC_PREFIX}")
configure_file(bloomery_c.pc.in ${PROJECT_BINARY_DIR}/bloomery_c.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bloomery_c.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
