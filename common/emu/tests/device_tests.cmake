# Tests of the device-side headers. Most need no runtime: plain C++ against simple references.
foreach(topic vector integer math rounding convert packed tiny_float atomics)
  kit_add_test(device_${topic}_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/device_${topic}_test.cpp LABELS emu_runtime)
  if(TARGET device_${topic}_test)
    target_include_directories(device_${topic}_test PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../include)
  endif()
endforeach()

# These run CUDA threads.
if(TARGET cuemu)
  foreach(topic warp groups tensor_map wgmma)
    if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/device_${topic}_test.cpp)
      kit_add_test(device_${topic}_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/device_${topic}_test.cpp LIBRARIES cuemu
                   LABELS emu_runtime)
    endif()
  endforeach()
endif()
