# Every script of spec/scripts, its trace compared with the one that lies beside it:
#   cmake -DPROGRAM=... -DSCRIPTS=.../spec/scripts -DWORK=... -P compare.cmake
# PROGRAM may be a list: an emulator, then the program.  The exchange is with itself; what
# it writes is read again.
function(compare script)
  string(REGEX REPLACE "script$" "trace" trace ${script})
  execute_process(COMMAND ${PROGRAM} script ${script} --files ${WORK}
    OUTPUT_VARIABLE printed RESULT_VARIABLE status)
  file(READ ${trace} expected)
  if(NOT status EQUAL 0 OR NOT printed STREQUAL expected)
    string(MD5 name ${script})
    file(WRITE ${WORK}/${name}.printed "${printed}")
    execute_process(COMMAND diff -u ${trace} ${WORK}/${name}.printed)
    message(SEND_ERROR "${script}: status ${status}, or another trace")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
file(GLOB scripts ${SCRIPTS}/*.script)
list(LENGTH scripts count)
if(count EQUAL 0)
  message(FATAL_ERROR "no scripts in ${SCRIPTS}")
endif()
foreach(script IN LISTS scripts)
  compare(${script})
endforeach()
compare(${SCRIPTS}/exchange/write.script)
compare(${SCRIPTS}/exchange/read.script)
message(STATUS "${count} scripts and the exchange compared")
