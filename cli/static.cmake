# The tool as one static program (make dist): it runs on any Linux of this CPU, and in a
# folder that holds nothing else.  Included before the tool's libraries are looked for.

# find_library, and so find_package(ZLIB) or pkg_check_modules, takes archives only.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)

# Debian has no archive of fmt, which may be compiled in instead.
function(bloomery_link_statically)
  foreach(target IN ITEMS bloomery_tool bloomery_bench_kit)
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(libraries ${target} ${property})
      if(libraries)
        list(TRANSFORM libraries REPLACE "fmt::fmt" "fmt::fmt-header-only")
        set_property(TARGET ${target} PROPERTY ${property} ${libraries})
      endif()
    endforeach()
  endforeach()
  # Without a build id, which would depend on the folder.
  target_link_options(bloomery_tool PRIVATE -static LINKER:--gc-sections,--build-id=none)
endfunction()
