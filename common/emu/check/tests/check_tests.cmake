# Programs under emucc --check: wrong ones with the findings that they must have, right ones with none.
kit_add_test(emu_check_programs
             SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_programs_test.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/pairs.cpp"
             LABELS emu TIMEOUT 600)
add_executable(check_table EXCLUDE_FROM_ALL check/tests/table.cpp check/tests/pairs.cpp)
target_link_libraries(check_table PRIVATE kit_flags)
target_compile_definitions(check_table PRIVATE KIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KIT_BINARY_DIR="${CMAKE_BINARY_DIR}")
foreach(program emu_check_programs check_table)
  add_dependencies(${program} emucc cuemu cuemu_check emu_headers)
endforeach()

# What reports say of source lines.
kit_add_test(emu_check_source SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_source_test.cpp"
             "${CMAKE_CURRENT_SOURCE_DIR}/check/expression.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/check/loops.cpp" LABELS emu)
target_include_directories(emu_check_source PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check")
