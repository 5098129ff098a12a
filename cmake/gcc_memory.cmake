# GCC's garbage collector takes a quarter of the time of large files unless it has this much memory
# (KiB) before it starts.  Only where that is there for each of Ninja's jobs.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR memory_per_job "${memory} / (${cores} + 2)")
if(memory_per_job GREATER 2000)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
endif()
