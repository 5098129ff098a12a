# 64-bit ARM: little-endian, NEON, char is unsigned.
# Debian's cross compiler looks in /usr/include last, so headers that are the same on
# every CPU (xxhash, nlohmann_json) need no copies.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)  # GoogleTest asks for one
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
