# What Debian wants in share/doc and of manual pages; run by cpack on the files it packs.
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${usr}/share/doc/bloomery)
file(REMOVE ${doc}/LICENSE)  # every Debian system has the text
file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc})
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/../../CHANGELOG.md ${doc}/CHANGELOG.md)
file(CHMOD ${doc}/CHANGELOG.md ${doc}/copyright
  PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
execute_process(COMMAND gzip -9n ${doc}/CHANGELOG.md ${usr}/share/man/man1/bloomery.1
  COMMAND_ERROR_IS_FATAL ANY)
