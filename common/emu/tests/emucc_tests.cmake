# emucc as its users type it: real .cu programs, built and run; messages; bad input.
if(TARGET cuemu)
  foreach(name IN ITEMS programs projects fission_property emucc_driver)
    kit_add_test(emu_${name} SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/tests/${name}_test.cpp" LABELS emu TIMEOUT 300)
    if(TARGET emu_${name})
      add_dependencies(emu_${name} emucc cuemu emu_headers)
    endif()
  endforeach()
endif()
