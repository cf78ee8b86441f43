# kit_add_all_labs(): builds every level of every lab, and every solution, for each backend that is there.
#
# The rule is the grader's: every .cu and .cpp of a folder makes one program. There is no list of labs.
# Programs land in build/labs/<backend>/<lab>/<level or solution>.

find_program(NVCC_PROGRAM nvcc HINTS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)

function(kit_add_lab_program lab folder what)
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cu" "${folder}/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${folder}/*.h" "${folder}/*.hpp" "${folder}/*.cuh")
  if(NOT sources)
    return()
  endif()
  file(GLOB lab_headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/common/lab/include/lab/*")
  set(include "${CMAKE_SOURCE_DIR}/common/lab/include")
  set(backends emu)
  if(NVCC_PROGRAM)
    list(APPEND backends gpu)
  endif()
  foreach(backend IN LISTS backends)
    set(program "${CMAKE_BINARY_DIR}/labs/${backend}/${lab}/${what}")
    if(backend STREQUAL emu)
      set(compile "$<TARGET_FILE:emucc>" -O2 -std=c++17)
      set(depends emucc cuemu emu_headers)
    else()
      set(compile "${NVCC_PROGRAM}" -O2 -std=c++17 -lineinfo)
      set(depends)
    endif()
    add_custom_command(OUTPUT "${program}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/labs/${backend}/${lab}"
      COMMAND ${compile} -I "${include}" ${sources} -o "${program}"
      DEPENDS ${sources} ${headers} ${lab_headers} ${depends}
      COMMENT "${lab} ${what} for ${backend}" VERBATIM)
    set_property(GLOBAL APPEND PROPERTY KIT_LAB_PROGRAMS "${program}")
  endforeach()
endfunction()

function(kit_add_all_labs)
  file(GLOB solutions CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/solutions/*")
  foreach(folder IN LISTS solutions)
    get_filename_component(lab "${folder}" NAME)
    kit_add_lab_program("${lab}" "${folder}" solution)
  endforeach()
  file(GLOB levels CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/labs/*/level*")
  foreach(folder IN LISTS levels)
    get_filename_component(level "${folder}" NAME)
    get_filename_component(lab_folder "${folder}" DIRECTORY)
    get_filename_component(lab "${lab_folder}" NAME)
    kit_add_lab_program("${lab}" "${folder}" "${level}")
  endforeach()
  get_property(programs GLOBAL PROPERTY KIT_LAB_PROGRAMS)
  add_custom_target(labs ALL DEPENDS ${programs})
endfunction()
