# kit_add_test(NAME SOURCES … LIBRARIES … LABELS … [TIMEOUT s] [ENVIRONMENT A=B …] [DEFINITIONS …] [DEPENDS target …] [TOGETHER]
#              [NAMED_AFTER folder …])
#
# One GoogleTest program, and one CTest entry for each of its tests; TOGETHER: one for all of them, since they share what
# takes longer to build than they take to run. NAMED_AFTER: its tests are named after the files of these folders, and CTest is
# told anew when one is added or taken away. Labels: unit, emu, emu_runtime (`-L emu`
# finds it too), integration, gpu, docs, format.
# The programs are built by the target `tests`, not by `all`: who only wants to grade need not wait for them.
# A program without tests fails at build time, since discovery finds nothing.

find_package(GTest QUIET)
option(KIT_BUILD_TESTS "Build the tests" ${GTest_FOUND})
add_custom_target(tests)
if(KIT_BUILD_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  # Hundreds of programs are linked: gold, which comes with the linker in some distributions, takes half of its time.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold KIT_GOLD_LINKS)
endif()

# Reading GoogleTest's headers takes longer than compiling most tests. Not under ccache, which would take each such build for a
# new one; tests name what they include, and build without this.
if(KIT_BUILD_TESTS AND KIT_UNITY AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/tests_precompiled.cpp" CONTENT "" @ONLY)
  add_library(kit_tests_precompiled STATIC EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/tests_precompiled.cpp")
  target_link_libraries(kit_tests_precompiled PRIVATE kit_flags GTest::gmock GTest::gtest)
  target_compile_definitions(kit_tests_precompiled PRIVATE KIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KIT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_compile_options(kit_tests_precompiled PRIVATE -O0)
  target_precompile_headers(kit_tests_precompiled PRIVATE
    <gmock/gmock.h> <gtest/gtest.h> <algorithm> <filesystem> <fstream> <map> <regex> <sstream> <string> <vector>)
endif()

function(kit_add_test name)
  if(NOT KIT_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "TOGETHER" "TIMEOUT" "SOURCES;LIBRARIES;LABELS;ENVIRONMENT;DEFINITIONS;DEPENDS;NAMED_AFTER" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  list(APPEND ARG_ENVIRONMENT ${KIT_TEST_ENVIRONMENT})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE kit_flags ${ARG_LIBRARIES} GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE KIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KIT_BINARY_DIR="${CMAKE_BINARY_DIR}"
                             ${ARG_DEFINITIONS})
  # A test's own code runs once: optimising it would only make everybody wait for the build.
  target_compile_options(${name} PRIVATE -O0)
  if(KIT_GOLD_LINKS AND NOT kit_sanitizer)
    target_link_options(${name} PRIVATE -fuse-ld=gold)
  endif()
  if(TARGET kit_tests_precompiled)
    target_precompile_headers(${name} REUSE_FROM kit_tests_precompiled)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${ARG_NAMED_AFTER})
  # Zero tests: a program older than what ctest knows of it.
  if(ARG_TOGETHER)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${ARG_ENVIRONMENT}"
                         FAIL_REGULAR_EXPRESSION "Running 0 tests")
  else()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${ARG_ENVIRONMENT}"
                                    FAIL_REGULAR_EXPRESSION "Running 0 tests")
  endif()
  add_dependencies(tests ${name} ${ARG_DEPENDS})
endfunction()
