# Programs under emucc --counters, with counts derived by hand.
set(emu_counters_needs emucc cuemu cuemu_counters cuemu_watch emu_headers)
kit_add_test(emu_counters_programs BATCH 1 DEPENDS ${emu_counters_needs} PROVES ${emu_counters_needs}
             SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/counters/tests/counters_programs_test.cpp"
             LABELS emu NAMED_AFTER "${CMAKE_CURRENT_SOURCE_DIR}/counters/tests/programs")
