# Installs a build tree afresh, and looks that all is there:
#   cmake -DBUILD=.. -DPREFIX=.. -DLIBDIR=.. -P install.cmake
# The prefix is named only at install time: an installed tree must not know where it is.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
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
