# kit_add_all_labs() builds every level of every lab, and every solution, for each available backend.
#
# Only the grader decides which files make a program (grader/src/workspace/lab_files.hpp): `grader start --to` writes
# its sources to build/labs/src, and all .cu and .cpp in a folder there become one program. So no list of labs is
# needed. The programs are written to build/labs/<backend>/<lab>/<level or solution>.

find_program(NVCC_PROGRAM nvcc HINTS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)

# kit_add_lab_program(lab1.1-matrixmul level2 --level 2) or (lab1.1-matrixmul solution --solution)
function(kit_add_lab_program lab what)
  string(REGEX REPLACE "-.*" "" id "${lab}")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/solutions/${lab}/*" "${CMAKE_SOURCE_DIR}/labs/${lab}/*")
  file(GLOB lab_headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/common/lab/include/lab/*")
  set(sources "${CMAKE_BINARY_DIR}/labs/src/${lab}/${what}")
  add_custom_command(OUTPUT "${sources}.laid"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${sources}"
    COMMAND ${CMAKE_COMMAND} -E env "CUDA_LAB_KIT=${CMAKE_SOURCE_DIR}" "$<TARGET_FILE:grader>" start ${id} ${ARGN} --to "${sources}"
            > "${sources}.laid"
    DEPENDS ${files} grader COMMENT "${lab} ${what}: sources" VERBATIM)
  # As in the grader, kernels that launch kernels must be linked as device code.
  file(STRINGS "${CMAKE_SOURCE_DIR}/labs/${lab}/lab.toml" relocatable REGEX "^device_code *= *\"relocatable\"")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/labs/${lab}/lab.toml")
  set(linked "")
  if(relocatable)
    set(linked " -rdc=true")
  endif()
  set(backends emu)
  if(NVCC_PROGRAM)
    list(APPEND backends gpu)
  endif()
  foreach(backend IN LISTS backends)
    set(folder "${CMAKE_BINARY_DIR}/labs/${backend}/${lab}")
    if(backend STREQUAL emu)
      set(compile "$<TARGET_FILE:emucc> -O2 -std=c++17${linked}")
      set(depends emucc cuemu emu_headers)
    else()
      set(compile "${NVCC_PROGRAM} -O2 -std=c++17 -lineinfo${linked}")
      set(depends)
    endif()
    add_custom_command(OUTPUT "${folder}/${what}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
      COMMAND sh -c "${compile} -I '${CMAKE_SOURCE_DIR}/common/lab/include' $(ls *.cu *.cpp 2>/dev/null) -o '${folder}/${what}'"
      WORKING_DIRECTORY "${sources}"
      DEPENDS "${sources}.laid" ${lab_headers} ${depends}
      COMMENT "${lab} ${what} for ${backend}" VERBATIM)
    set_property(GLOBAL APPEND PROPERTY KIT_LAB_PROGRAMS "${folder}/${what}")
  endforeach()
endfunction()

function(kit_add_all_labs)
  if(NOT TARGET grader)
    message(STATUS "Labs are not built: KIT_BUILD_LABS needs KIT_BUILD_GRADER")
    return()
  endif()
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/labs/src")
  file(GLOB solutions CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/solutions/*")
  foreach(folder IN LISTS solutions)
    get_filename_component(lab "${folder}" NAME)
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/labs/src/${lab}")
    kit_add_lab_program("${lab}" solution --solution)
  endforeach()
  file(GLOB levels CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/labs/*/level*")
  foreach(folder IN LISTS levels)
    get_filename_component(level "${folder}" NAME)
    get_filename_component(lab_folder "${folder}" DIRECTORY)
    get_filename_component(lab "${lab_folder}" NAME)
    string(REPLACE level "" number "${level}")
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/labs/src/${lab}")
    kit_add_lab_program("${lab}" "${level}" --level ${number})
  endforeach()
  get_property(programs GLOBAL PROPERTY KIT_LAB_PROGRAMS)
  add_custom_target(labs ALL DEPENDS ${programs})
endfunction()
