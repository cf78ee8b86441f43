# Tests of the headers for device code. Most tests need no runtime: they compare plain C++ with simple
# references.
set(device_tests vector integer math rounding convert packed tiny_float atomics)
list(TRANSFORM device_tests REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/device_\\1_test.cpp")
kit_add_test(emu_device_tests SOURCES ${device_tests} BATCH 4 LABELS emu_runtime)
target_include_directories(emu_device_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../include)

# These tests run CUDA threads.
if(TARGET cuemu)
  set(device_tests warp groups tensor_map wgmma)
  list(TRANSFORM device_tests REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/device_\\1_test.cpp")
  kit_add_test(emu_device_threads_tests SOURCES ${device_tests} BATCH 2 LIBRARIES cuemu LABELS emu_runtime)
endif()
