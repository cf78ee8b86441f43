# Programs under emucc --check: wrong ones with the findings that they must have, right ones with none.
kit_add_test(emu_check_programs SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_programs_test.cpp" LABELS emu
             TIMEOUT 600)
if(TARGET emu_check_programs)
  add_dependencies(emu_check_programs emucc cuemu cuemu_check emu_headers)
endif()
