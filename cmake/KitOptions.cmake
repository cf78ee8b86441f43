# The options, compiler flags and output folders that all targets of the kit share.

option(KIT_BUILD_GRADER "Build the grader" ON)
option(KIT_BUILD_LABS "Build every lab of every level, and every solution, for each backend found" OFF)
option(KIT_BUILD_BENCH "Build the benchmark programs" OFF)
option(KIT_EMU_EXTRAS "Build the parts of the emulation that no lab needs (common/emu/extras)" ON)
option(KIT_BUILD_DOCS "Build the documentation site" OFF)
# Warnings are errors only with CI's compilers: a newer compiler has new warnings, which must not stop a student.
set(werror OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  set(werror ON)
endif()
option(KIT_WERROR "Treat warnings as errors" ${werror})
option(KIT_UNITY "Compile several sources of a library as one: quicker at first, slower after a change" ON)
set(KIT_SANITIZE OFF CACHE STRING "Build the kit with sanitizers: ON (AddressSanitizer and UBSan), thread, or OFF")
set_property(CACHE KIT_SANITIZE PROPERTY STRINGS OFF ON thread)
option(KIT_FUZZ "Build the fuzzer of what reads foreign bytes (clang's libFuzzer; see grader/fuzz/README.md)" OFF)
option(KIT_PORTABLE "Link statically what can be, for machines that have no packages" OFF)

# -O2 replaces -O3, CMake's default for releases: no code needs -O3, and it compiles more slowly.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# The build folder is a prefix that can be moved: emucc finds its headers and its runtime relative to itself.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(KIT_INCLUDE_DIR "${CMAKE_BINARY_DIR}/include")

option(KIT_CCACHE "Compile with ccache, where it is installed" ON)
find_program(CCACHE_PROGRAM ccache)
if(KIT_CCACHE AND CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these options, ccache has no hit in a build that uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "${CCACHE_PROGRAM}")
endif()

add_library(kit_flags INTERFACE)
target_compile_options(kit_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${KIT_WERROR}>:-Werror>)
if(CCACHE_PROGRAM)
  target_compile_options(kit_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
# g++ 12 falsely reports an overlap, or an offset or size out of bounds, in std::string's operator+ (GCC bugs 105651,
# 105329).
target_compile_options(kit_flags INTERFACE
  "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>")
# The finding of a sanitizer ends the program. Programs that tests build link the sanitized runtime, so they get the
# same flags.
set(kit_sanitizer "")
if(KIT_SANITIZE STREQUAL "thread")
  set(kit_sanitizer -fsanitize=thread)
  # g++ warns that ThreadSanitizer ignores fences. No code in the kit depends on a fence alone.
  target_compile_options(kit_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
elseif(KIT_SANITIZE)
  set(kit_sanitizer -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined)
endif()
set(KIT_TEST_ENVIRONMENT "")
if(kit_sanitizer)
  target_compile_options(kit_flags INTERFACE ${kit_sanitizer} -fno-omit-frame-pointer)
  target_link_options(kit_flags INTERFACE ${kit_sanitizer})
  list(TRANSFORM kit_sanitizer PREPEND "-Xcompiler ")
  list(JOIN kit_sanitizer " " kit_sanitizer)
  set(KIT_TEST_ENVIRONMENT "NVCC_APPEND_FLAGS=${kit_sanitizer}")
endif()
if(KIT_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "KIT_FUZZ needs clang++, whose libFuzzer it uses: apt-get install clang, then cmake --preset fuzz")
  endif()
  target_compile_options(kit_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(KIT_PORTABLE)
  target_link_options(kit_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()

# The grader is optimised with -O1. -O2 takes a third longer to compile, without a noticeable gain. Without
# optimisation, the grader took a third of the processor time of a grading whose programs are cached.
set(KIT_GRADER_OPTIMISATION $<$<CONFIG:Release>:-O1>)

# kit_unity(LIBRARY BATCH n [ALONE source …]): with KIT_UNITY, n sources at a time (0: all) are compiled as one,
# except for the ALONE sources. Otherwise most of the time is spent on the same headers. The preset `dev` compiles
# each source separately, which proves that each source includes all headers that it uses.
function(kit_unity target)
  if(NOT KIT_UNITY)
    return()
  endif()
  cmake_parse_arguments(ARG "" "BATCH" "ALONE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
  # g++ takes the types in an included source for types in a header, and would warn about them.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  if(ARG_ALONE)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
