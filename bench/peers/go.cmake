find_program(BLOOMERY_GO go)
if(NOT BLOOMERY_GO)
  leave_out("bits-and-blooms" "no go")
else()
  message(STATUS "bench: building the Go peer with go")
  file(COPY go DESTINATION ${copies})
  execute_process(
    COMMAND ${BLOOMERY_GO} build -buildmode=c-archive -o libgo_peers.a .
    WORKING_DIRECTORY ${copies}/go
    RESULT_VARIABLE failed ERROR_VARIABLE why OUTPUT_QUIET)
  if(failed)
    message(STATUS "${why}")
    leave_out("bits-and-blooms" "go could not build it")
  else()
    find_package(Threads REQUIRED)
    target_sources(bloomery_peers PRIVATE go_peers.cpp)
    target_link_libraries(bloomery_peers PRIVATE
      ${copies}/go/libgo_peers.a Threads::Threads)
    target_compile_definitions(bloomery_peers PRIVATE BLOOMERY_PEER_GO)
  endif()
endif()
