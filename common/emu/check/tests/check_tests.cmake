# Programs under emucc --check: wrong ones with the findings that they must have, right ones with none.
set(emu_check_tests "${CMAKE_CURRENT_SOURCE_DIR}/check/tests")
find_program(KIT_CLANGXX NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
file(GLOB groups CONFIGURE_DEPENDS "${emu_check_tests}/programs/*")
kit_add_test(emu_check_programs
             SOURCES "${emu_check_tests}/check_programs_test.cpp" "${emu_check_tests}/correct.cpp" "${emu_check_tests}/pairs.cpp"
                     "${emu_check_tests}/random_programs.cpp"
             LABELS emu TIMEOUT 600
             NAMED_AFTER ${groups} "${CMAKE_CURRENT_SOURCE_DIR}/tests/programs" "${CMAKE_CURRENT_SOURCE_DIR}/tests/projects")
target_compile_definitions(emu_check_programs PRIVATE "KIT_CLANGXX=\"$<$<BOOL:${KIT_CLANGXX}>:${KIT_CLANGXX}>\"")

find_package(CLI11 REQUIRED)
add_executable(check_table EXCLUDE_FROM_ALL "${emu_check_tests}/table.cpp" "${emu_check_tests}/correct.cpp" "${emu_check_tests}/pairs.cpp"
               "${emu_check_tests}/random_programs.cpp")
target_link_libraries(check_table PRIVATE kit_flags CLI11::CLI11)
target_compile_definitions(check_table PRIVATE KIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KIT_BINARY_DIR="${CMAKE_BINARY_DIR}")
foreach(program emu_check_programs check_table)
  add_dependencies(${program} emucc cuemu cuemu_check emu_headers)
endforeach()

# What reports say of source lines, and how lanes are put together.
kit_add_test(emu_check_source SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_source_test.cpp"
             "${CMAKE_CURRENT_SOURCE_DIR}/watch/expression.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/check/loops.cpp"
             "${CMAKE_CURRENT_SOURCE_DIR}/check/lockstep.cpp" LABELS emu)
target_include_directories(emu_check_source PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check" "${CMAKE_CURRENT_SOURCE_DIR}/watch"
                           "${CMAKE_CURRENT_SOURCE_DIR}/include")

# Where a barrier is missing, by the text of a source.
kit_add_test(emu_check_missing_barrier SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_missing_barrier_test.cpp" LIBRARIES cuemu_check
             LABELS emu)
target_include_directories(emu_check_missing_barrier PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check")

# The clocks, against a slow reference.
kit_add_test(emu_check_clocks SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_clocks_test.cpp" LIBRARIES cuemu_check LABELS emu)
target_include_directories(emu_check_clocks PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check")

# Shadow memory, against a reference that remembers every access.
kit_add_test(emu_check_shadow SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_shadow_test.cpp" LIBRARIES cuemu_check LABELS emu)
target_include_directories(emu_check_shadow PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check")

# What is said of barriers, against a reference. It runs kernels itself, so it sees the runtime.
kit_add_test(emu_check_barriers SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/check/tests/check_barriers_test.cpp" LIBRARIES cuemu_check LABELS emu)
target_include_directories(emu_check_barriers PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check")
