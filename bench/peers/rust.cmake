find_program(BLOOMERY_CARGO cargo)
if(NOT BLOOMERY_CARGO)
  leave_out("fastbloom, xorf" "no cargo")
else()
  message(STATUS "bench: building the Rust peers with cargo")
  file(COPY rust DESTINATION ${copies})
  execute_process(
    COMMAND ${BLOOMERY_CARGO} build --release --quiet
    WORKING_DIRECTORY ${copies}/rust
    RESULT_VARIABLE failed ERROR_VARIABLE why OUTPUT_QUIET)
  if(failed)
    message(STATUS "${why}")
    leave_out("fastbloom, xorf" "cargo could not build them")
  else()
    target_link_libraries(bloomery_peers PRIVATE
      ${copies}/rust/target/release/libbloomery_rust_peers.a ${CMAKE_DL_LIBS})
    target_compile_definitions(bloomery_peers PUBLIC BLOOMERY_PEER_RUST)
  endif()
endif()
