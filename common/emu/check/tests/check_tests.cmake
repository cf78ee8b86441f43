# Runs programs under emucc --check: wrong programs must have the expected findings, and right programs none.
set(emu_check_tests "${CMAKE_CURRENT_SOURCE_DIR}/check/tests")
find_program(KIT_CLANGXX NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
file(GLOB groups CONFIGURE_DEPENDS "${emu_check_tests}/programs/*")
set(emu_check_needs emucc cuemu cuemu_check cuemu_watch emu_headers)
set(emu_check_common LABELS emu TIMEOUT 1200 PROVES ${emu_check_needs} NAMED_AFTER ${groups} ${emu_test_programs}
    ${emu_test_projects})
kit_add_test(emu_check_programs BATCH 1 LIBRARIES emu_test_folders DEPENDS ${emu_check_needs}
             SOURCES "${emu_check_tests}/check_programs_test.cpp" "${emu_check_tests}/correct.cpp" "${emu_check_tests}/pairs.cpp"
                     "${emu_check_tests}/random_programs.cpp"
             NAMED_AFTER ${groups} ${emu_test_programs} ${emu_test_projects})
kit_add_run(emu_check_programs programs FILTER Programs/* SHARDS 6 ${emu_check_common})
kit_add_run(emu_check_programs reports REST ${emu_check_common})
target_compile_definitions(emu_check_programs PRIVATE "KIT_CLANGXX=\"$<$<BOOL:${KIT_CLANGXX}>:${KIT_CLANGXX}>\"")

find_package(CLI11 REQUIRED)
add_executable(check_table EXCLUDE_FROM_ALL "${emu_check_tests}/table.cpp" "${emu_check_tests}/correct.cpp" "${emu_check_tests}/pairs.cpp"
               "${emu_check_tests}/random_programs.cpp")
target_link_libraries(check_table PRIVATE kit_flags CLI11::CLI11 emu_test_folders)
target_compile_definitions(check_table PRIVATE KIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KIT_BINARY_DIR="${CMAKE_BINARY_DIR}")
add_dependencies(check_table emucc cuemu cuemu_check emu_headers)

# Tests the checker's parts, each against a slow reference or a source text. check_barriers_test runs kernels,
# so it is linked with the runtime.
kit_add_test(emu_check_tests BATCH 1 LIBRARIES cuemu_check wire LABELS emu
             SOURCES "${emu_check_tests}/check_source_test.cpp" "${emu_check_tests}/check_missing_barrier_test.cpp"
                     "${emu_check_tests}/check_clocks_test.cpp" "${emu_check_tests}/check_shadow_test.cpp"
                     "${emu_check_tests}/check_barriers_test.cpp"
                     "${emu_check_tests}/check_racing_threads_test.cpp")
target_include_directories(emu_check_tests PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/check")
