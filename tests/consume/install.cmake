# Installs a build tree afresh:
#   cmake -DBUILD=.. -DPREFIX=.. -P install.cmake
# The same of a shared library that is first built as a packager would:
#   cmake -DBUILD=.. -DPREFIX=.. -DSOURCE=.. -DCXX=.. -P install.cmake
# The prefix is named only at install time: an installed tree must not know where it is.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(SOURCE)
  run(${CMAKE_COMMAND} --fresh -S ${SOURCE} -B ${BUILD} -G Ninja
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=ON -DBLOOMERY_TOOL=OFF)
  run(${CMAKE_COMMAND} --build ${BUILD})
endif()
file(REMOVE_RECURSE ${PREFIX})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})
