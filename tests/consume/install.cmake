# Builds the library as a packager would and installs it afresh:
#   cmake -DSOURCE=.. -DWORK=.. -DSHARED=ON|OFF -DCXX=.. -P install.cmake
# The prefix is named only at install time: an installed tree must not know where it is.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK}/prefix)
run(${CMAKE_COMMAND} --fresh -S ${SOURCE} -B ${WORK}/build -G Ninja
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Release
  "-DCMAKE_CXX_FLAGS_RELEASE=${FLAGS}"
  -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=${SHARED} -DBLOOMERY_TOOL=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/prefix)
