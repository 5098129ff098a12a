# IBM Z: big-endian, char is unsigned.
# Debian's cross compiler looks in /usr/include last, so headers that are the same on
# every CPU (xxhash, nlohmann_json) need no copies.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)  # GoogleTest asks for one
set(CMAKE_CXX_COMPILER s390x-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/s390x-linux-gnu)
