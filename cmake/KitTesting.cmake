# kit_add_test(NAME SOURCES … LIBRARIES … LABELS … [TIMEOUT s] [ENVIRONMENT A=B …] [DEFINITIONS …] [DEPENDS target …])
#
# One GoogleTest program, and one CTest entry for each of its tests. Labels: unit, emu, emu_runtime (`-L emu`
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
endif()

function(kit_add_test name)
  if(NOT KIT_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS;ENVIRONMENT;DEFINITIONS;DEPENDS" ${ARGN})
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
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${ARG_ENVIRONMENT}")
  add_dependencies(tests ${name} ${ARG_DEPENDS})
endfunction()
