# Programs under emucc --check: wrong ones with the findings that they must have, right ones with none.
kit_add_test(emu_check_programs SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_programs_test.cpp" LABELS emu
             TIMEOUT 600)
if(TARGET emu_check_programs)
  add_dependencies(emu_check_programs emucc cuemu cuemu_check emu_headers)
endif()

# What reports say of source lines.
kit_add_test(emu_check_source SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_source_test.cpp"
             "${CMAKE_CURRENT_SOURCE_DIR}/check/expression.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/check/loops.cpp" LABELS emu)
target_include_directories(emu_check_source PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check")
