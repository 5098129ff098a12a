# The oldest x86-64: SSE2 and no more.  The CPU that is emulated has no AVX and stops at
# an instruction it does not know, so a kernel that is chosen wrongly shows.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-linux-gnu-gcc)  # GoogleTest asks for one
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -cpu qemu64)
