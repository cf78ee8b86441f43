# Finds the extras. Each folder here is a part of the emulation that no lab needs (README.md lists its
# possible contents).
#
# A folder may have a file extra.cmake, which registers facts that its files don't show:
#
#   set(extra_needs libraries)                           # other extras whose headers this one includes
#   kit_emu_library(cublas cuBLAS libopenblas.so.0 libopenblas0)
#
# Sets emu_extras (the names), emu_runtime_sources (the sources that the extras add to libcuemu.a), and the additions to
# emucc: emu_pass_sources, emu_pass_tests, emu_pass_folders, and emu_passes, the table of the passes. Also sets three
# lists of folders that begin with the core's: emu_header_folders, emu_test_programs, emu_test_projects. With
# KIT_EMU_EXTRAS off, the loop below has no folders, so the lists contain only the core's.

# kit_emu_library(NAME TITLE [FILE PACKAGE]): -lNAME links the archive of this extra, or nothing if the extra
# has no sources. The shared library FILE does the extra's computations. The Debian package PACKAGE contains
# FILE.
macro(kit_emu_library name title)
  set(file "${ARGV2}")
  set(package "${ARGV3}")
  set(target cuemu)
  if(extra_sources)
    set(target cuemu_${extra})
    string(APPEND emu_libraries "${name}|${target}|${title}|${file}|${package}\n")
  endif()
  list(APPEND emu_library_links "../../lib/lib${target}.a lib64/lib${name}.a")
endmacro()

set(emu_extras "")
if(KIT_EMU_EXTRAS)
  file(GLOB emu_extras LIST_DIRECTORIES true CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/*/README.md")
  list(TRANSFORM emu_extras REPLACE "/README.md" "")
endif()
set(emu_libraries "")
set(emu_library_links "")
get_filename_component(emu_core "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
set(emu_header_folders "${emu_core}/include")
set(emu_test_programs "${emu_core}/tests/programs")
set(emu_test_projects "${emu_core}/tests/projects")
set(emu_runtime_sources "")
set(emu_passes "")
set(emu_pass_checks "")
set(emu_pass_folders "")
set(emu_pass_sources "")
set(emu_pass_tests "")
set(emu_declared "")  # for the check of the includes: an extra and what it needs
foreach(extra IN LISTS emu_extras)
  set(folder "${CMAKE_CURRENT_LIST_DIR}/${extra}")
  file(GLOB extra_sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  set(emu_sources_of_${extra} "${extra_sources}")
  set(extra_needs "")
  file(GLOB declared CONFIGURE_DEPENDS "${folder}/extra.cmake")
  if(declared)
    include("${declared}")
  endif()
  list(JOIN extra_needs " " needs)
  string(APPEND emu_declared "${extra}: ${needs}\n")
  file(GLOB runtime CONFIGURE_DEPENDS "${folder}/runtime/*.cpp")
  file(GLOB headers LIST_DIRECTORIES true CONFIGURE_DEPENDS "${folder}/include")
  file(GLOB programs LIST_DIRECTORIES true CONFIGURE_DEPENDS "${folder}/tests/programs")
  file(GLOB projects LIST_DIRECTORIES true CONFIGURE_DEPENDS "${folder}/tests/projects")
  file(GLOB passes CONFIGURE_DEPENDS "${folder}/emucc/*/*.cpp")
  if(passes)
    set(tests ${passes})
    list(FILTER passes EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(APPEND emu_pass_sources ${passes})
    list(APPEND emu_pass_tests ${tests})
    list(APPEND emu_pass_folders "${folder}/emucc")
    string(APPEND emu_passes "KIT_PASS(${extra})\n")
  endif()
  list(APPEND emu_runtime_sources ${runtime})
  list(APPEND emu_header_folders ${headers})
  list(APPEND emu_test_programs ${programs})
  list(APPEND emu_test_projects ${projects})
endforeach()
# The tests of all programs and projects are compiled with these definitions (tests/test_folders.hpp).
list(JOIN emu_test_programs ":" programs)
list(JOIN emu_test_projects ":" projects)
add_library(emu_test_folders INTERFACE)
target_include_directories(emu_test_folders INTERFACE "${emu_core}/tests")
target_compile_definitions(emu_test_folders INTERFACE KIT_EMU_PROGRAMS="${programs}" KIT_EMU_PROJECTS="${projects}")

# Writes a file for emucc and the grader. For each -lNAME it has the archive's target, the title, the shared
# library and the package.
file(CONFIGURE OUTPUT "${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/extras.txt" CONTENT "${emu_libraries}" @ONLY)

# kit_emu_extra_archives(FLAG…): adds libcuemu_NAME.a for each extra with sources. Each source is a separate
# object, so that a program contains only the parts that it calls.
function(kit_emu_extra_archives)
  foreach(extra IN LISTS emu_extras)
    if(NOT emu_sources_of_${extra})
      continue()
    endif()
    add_library(cuemu_${extra} STATIC ${emu_sources_of_${extra}})
    target_include_directories(cuemu_${extra} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}/extras/${extra}/include" PRIVATE runtime watch)
    target_link_libraries(cuemu_${extra} PUBLIC cuemu PRIVATE $<BUILD_INTERFACE:kit_flags> $<BUILD_INTERFACE:wire>)
    target_compile_options(cuemu_${extra} PRIVATE ${ARGN})
    set_property(GLOBAL APPEND PROPERTY KIT_EXTRAS cuemu_${extra})
  endforeach()
endfunction()

# Before the headers are copied, checks that the core includes no header of an extra, and that an extra
# includes only headers of extras that it needs.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/extras.declared" CONTENT "${emu_declared}" @ONLY)
file(GLOB_RECURSE emu_checked CONFIGURE_DEPENDS include/* runtime/*.?pp watch/*.?pp check/*.?pp counters/*.?pp emucc/*.?pp tests/*.?pp
     tests/*.cu extras/*.?pp extras/*.h extras/*.inc)
set(emu_extras_checked "${CMAKE_BINARY_DIR}/extras.checked")
add_custom_command(OUTPUT "${emu_extras_checked}"
  COMMAND ${CMAKE_COMMAND} "-DDECLARED=${CMAKE_BINARY_DIR}/extras.declared" "-DEMULATION=${CMAKE_CURRENT_SOURCE_DIR}"
          -P "${CMAKE_SOURCE_DIR}/cmake/CheckExtras.cmake"
  COMMAND ${CMAKE_COMMAND} -E touch "${emu_extras_checked}"
  DEPENDS ${emu_checked} "${CMAKE_BINARY_DIR}/extras.declared" "${CMAKE_SOURCE_DIR}/cmake/CheckExtras.cmake"
  COMMENT "Includes of the emulation's extras" VERBATIM)
