# Installs a build tree, removes it again and installs it afresh:
#   cmake -DBUILD=.. -DPREFIX=.. -DLIBDIR=.. -P install.cmake
# The prefix is named only at install time: an installed tree must not know where it is.
function(install_to prefix)
  file(REMOVE_RECURSE ${prefix})
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# --- make uninstall: our files go, others stay ---
install_to(${PREFIX}-removed)
file(READ ${BUILD}/install_manifest.txt list)
file(WRITE ${BUILD}/uninstall.txt "${list}\n")
file(TOUCH ${PREFIX}-removed/include/other.h)
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../../tools/uninstall.sh ${BUILD}/uninstall.txt
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE left RELATIVE ${PREFIX}-removed ${PREFIX}-removed/*)
if(NOT left STREQUAL "include/other.h" OR EXISTS ${PREFIX}-removed/include/bloomery)
  message(FATAL_ERROR "make uninstall leaves or takes too much: ${left}")
endif()
file(REMOVE_RECURSE ${PREFIX}-removed)

# --- what is there ---
install_to(${PREFIX})
foreach(file IN ITEMS bin/bloomery include/bloomery/bloomery.hpp include/bloomery/bloomery.h
    ${LIBDIR}/libbloomery.a ${LIBDIR}/libbloomery.so
    ${LIBDIR}/libbloomery_c.a ${LIBDIR}/libbloomery_c.so
    ${LIBDIR}/cmake/bloomery/bloomery-config.cmake
    ${LIBDIR}/pkgconfig/bloomery.pc ${LIBDIR}/pkgconfig/bloomery_c.pc
    share/man/man1/bloomery.1 share/bash-completion/completions/bloomery
    share/zsh/site-functions/_bloomery share/fish/vendor_completions.d/bloomery.fish
    share/doc/bloomery/LICENSE)
  file(SIZE ${PREFIX}/${file} size)  # an error where there is none
  if(size EQUAL 0)
    message(FATAL_ERROR "${file} is empty")
  endif()
endforeach()
# Nor may it name the tree that it came from.
execute_process(COMMAND grep -rl ${BUILD} ${PREFIX}/${LIBDIR}/cmake ${PREFIX}/${LIBDIR}/pkgconfig
  ${PREFIX}/share OUTPUT_VARIABLE named)
if(named)
  message(FATAL_ERROR "the build tree is named in ${named}")
endif()
