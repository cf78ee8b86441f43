# Programs under emucc --counters, with counts that were derived by hand.
kit_add_test(emu_counters_programs SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/counters/tests/counters_programs_test.cpp"
             LABELS emu TIMEOUT 600 NAMED_AFTER "${CMAKE_CURRENT_SOURCE_DIR}/counters/tests/programs")
if(TARGET emu_counters_programs)
  add_dependencies(emu_counters_programs emucc cuemu cuemu_counters emu_headers)
endif()
