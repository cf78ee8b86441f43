# kit_add_test(NAME SOURCES … [BATCH n] [ALONE source …] [LIBRARIES …] [DEFINITIONS …] [DEPENDS target …]
#              LABELS … [SHARDS n] [PROVES target …] [READS path …] [NAMED_AFTER folder …] [TIMEOUT s] [ENVIRONMENT A=B …])
# kit_add_run(NAME PART FILTER filter | REST  [SHARDS n] [COST s] [PROVES …] [READS …] …)
#
# Adds one GoogleTest program for a room or a part. Its sources are compiled as one, or BATCH at a time, except for
# the ALONE sources. CTest runs it as one process, or as SHARDS processes, each with every n-th test. If a program has
# no LABELS, kit_add_run() declares its runs: CTest's NAME.PART runs the tests that GoogleTest's filter selects, and
# REST runs the tests that no earlier filter selects. With EACH_ALONE, each test has a process of its own, in one run
# of CTest.
# COST is the approximate number of seconds of a run that takes a minute or more. Such runs start first.
# Labels: unit, emu, emu_runtime (also found by `-L emu`), integration, gpu, docs, format.
#
# DEPENDS lists programs and libraries that the tests start. They are built before the test program. `./bootstrap test
# --changed` runs a test if a change affects the program itself, a target in PROVES, or a path in READS (relative to
# the kit's root). If the tests use a target that other tests prove, the target is only in DEPENDS.
# NAMED_AFTER lists folders after whose files the tests are named. The program is linked again when a file is added or
# removed, and READS includes these files.
#
# The target `tests` builds the programs. `all` does not, since a user who only grades need not wait for them.
# Each run writes its tests and their times to build/results/, and .ci/times adds them up.

find_package(GTest QUIET)
option(KIT_BUILD_TESTS "Build the tests" ${GTest_FOUND})
add_custom_target(tests)
if(KIT_BUILD_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  # The linker gold, which some distributions include, links in half the time.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold KIT_GOLD_LINKS)
endif()

# GoogleTest's headers take longer to parse than most tests take to compile, so they are precompiled. Tests include
# all headers that they need, and also build without this.
if(KIT_BUILD_TESTS AND KIT_UNITY)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/tests_precompiled.cpp" CONTENT "" @ONLY)
  add_library(kit_tests_precompiled STATIC EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/tests_precompiled.cpp")
  target_link_libraries(kit_tests_precompiled PRIVATE kit_flags GTest::gmock GTest::gtest)
  target_compile_definitions(kit_tests_precompiled PRIVATE KIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KIT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_compile_options(kit_tests_precompiled PRIVATE -O0)
  target_precompile_headers(kit_tests_precompiled PRIVATE
    <gmock/gmock.h> <gtest/gtest.h> <algorithm> <filesystem> <fstream> <map> <regex> <sstream> <string> <vector>)
endif()

set(KIT_TEST_RESULTS "${CMAKE_BINARY_DIR}/results")
file(MAKE_DIRECTORY "${KIT_TEST_RESULTS}/gtest")

# kit_declare_test(RUN [LABEL label] [PROVES target …] [READS path …]) declares for `./bootstrap test --changed` what
# a run depends on. A run that is not declared is repeated after every change.
function(kit_declare_test run)
  cmake_parse_arguments(ARG "" "LABEL" "PROVES;READS" ${ARGN})
  list(JOIN ARG_PROVES " " proves)
  list(JOIN ARG_READS " " reads)
  set_property(GLOBAL APPEND_STRING PROPERTY KIT_TESTS_DECLARED "${run}|${proves}|${reads}|${ARG_LABEL}\n")
endfunction()

# After all declarations, writes build/tests.txt, with a line RUN|PROVES|READS|LABEL for each run.
function(kit_write_declared_tests)
  get_property(declared GLOBAL PROPERTY KIT_TESTS_DECLARED)
  file(WRITE "${CMAKE_BINARY_DIR}/tests.txt" "${declared}")
endfunction()

# Gives a missing argument its default.
macro(kit_default name value)
  if(NOT ${name})
    set(${name} ${value})
  endif()
endmacro()

set(KIT_RUN_LISTS LABELS PROVES READS NAMED_AFTER ENVIRONMENT)

function(kit_add_test name)
  if(NOT KIT_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "EACH_ALONE" "BATCH;TIMEOUT;SHARDS" "SOURCES;ALONE;LIBRARIES;DEFINITIONS;DEPENDS;${KIT_RUN_LISTS}" ${ARGN})
  kit_default(ARG_BATCH 0)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE kit_flags ${ARG_LIBRARIES} GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE KIT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KIT_BINARY_DIR="${CMAKE_BINARY_DIR}"
                             ${ARG_DEFINITIONS})
  # The code of a test runs once, so optimising it would only take time.
  target_compile_options(${name} PRIVATE -O0)
  if(KIT_GOLD_LINKS AND NOT kit_sanitizer)
    target_link_options(${name} PRIVATE -fuse-ld=gold)
  endif()
  if(TARGET kit_tests_precompiled)
    target_precompile_headers(${name} REUSE_FROM kit_tests_precompiled)
  endif()
  if(NOT ARG_BATCH EQUAL 1)
    kit_unity(${name} BATCH ${ARG_BATCH} ALONE ${ARG_ALONE})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${ARG_NAMED_AFTER})
  add_dependencies(tests ${name} ${ARG_DEPENDS})
  set(alone "")
  if(ARG_EACH_ALONE)
    set(alone EACH_ALONE)
  endif()
  if(ARG_LABELS)
    kit_add_run(${name} "" ${alone} FILTER * SHARDS ${ARG_SHARDS} TIMEOUT ${ARG_TIMEOUT} LABELS ${ARG_LABELS} PROVES ${ARG_PROVES}
                READS ${ARG_READS} NAMED_AFTER ${ARG_NAMED_AFTER} ENVIRONMENT ${ARG_ENVIRONMENT})
  endif()
endfunction()

function(kit_add_run program part)
  if(NOT TARGET ${program})
    return()
  endif()
  cmake_parse_arguments(ARG "REST;EACH_ALONE" "FILTER;TIMEOUT;SHARDS;COST" "${KIT_RUN_LISTS}" ${ARGN})
  kit_default(ARG_TIMEOUT 600)
  kit_default(ARG_SHARDS 1)
  kit_default(ARG_COST 1)
  if(ARG_REST)
    get_target_property(others ${program} KIT_FILTERS)
    list(JOIN others ":" others)
    set(ARG_FILTER "-${others}")
  endif()
  set_property(TARGET ${program} APPEND PROPERTY KIT_FILTERS "${ARG_FILTER}")
  foreach(folder IN LISTS ARG_NAMED_AFTER)
    file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${folder}")
    list(APPEND ARG_READS "${folder}")
  endforeach()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(run ${program})
    if(part)
      string(APPEND run ".${part}")
    endif()
    set(environment ${ARG_ENVIRONMENT} ${KIT_TEST_ENVIRONMENT})
    if(ARG_SHARDS GREATER 1)
      string(APPEND run ".${shard}")
      math(EXPR index "${shard} - 1")
      list(APPEND environment "GTEST_TOTAL_SHARDS=${ARG_SHARDS}" "GTEST_SHARD_INDEX=${index}")
    endif()
    if(ARG_EACH_ALONE)
      add_test(NAME ${run} COMMAND "${CMAKE_SOURCE_DIR}/cmake/each-test-alone" $<TARGET_FILE:${program}> "${ARG_FILTER}")
    else()
      add_test(NAME ${run} COMMAND ${program} "--gtest_filter=${ARG_FILTER}")
    endif()
    # It is a failure if no test runs: the filter is wrong, or the program is older than CTest's list.
    set_tests_properties(${run} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST}
                         ENVIRONMENT "${environment};GTEST_OUTPUT=xml:${KIT_TEST_RESULTS}/gtest/${run}.xml"
                         FAIL_REGULAR_EXPRESSION "Running 0 tests")
    kit_declare_test(${run} LABEL "${ARG_LABELS}" PROVES ${program} ${ARG_PROVES} READS ${ARG_READS})
  endforeach()
endfunction()
