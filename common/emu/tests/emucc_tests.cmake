# emucc as its users type it: real .cu programs, built and run; messages; bad input.
if(TARGET cuemu)
  foreach(name IN ITEMS programs projects fission_property emucc_driver causes lab_kernels)
    set(together "")
    if(name STREQUAL "causes")
      set(together TOGETHER)  # of one program
    endif()
    set(folder "")
    if(IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/tests/${name}")
      set(folder NAMED_AFTER "${CMAKE_CURRENT_SOURCE_DIR}/tests/${name}")
    endif()
    kit_add_test(emu_${name} SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/tests/${name}_test.cpp" LABELS emu TIMEOUT 300 ${together} ${folder})
    if(TARGET emu_${name})
      add_dependencies(emu_${name} emucc cuemu emu_headers)
      if(name STREQUAL "causes" AND TARGET cuemu_check)
        add_dependencies(emu_causes cuemu_check)
      endif()
    endif()
  endforeach()
endif()

# The same programs and projects by nvcc, where a GPU is.
add_test(NAME emu_gpu_agreement COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tests/gpu_agreement.sh")
set_tests_properties(emu_gpu_agreement PROPERTIES LABELS gpu TIMEOUT 1200 SKIP_RETURN_CODE 77)
