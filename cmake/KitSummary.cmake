# Prints in one block what configure found.

function(kit_found label value otherwise)
  if(value)
    message(STATUS "  ${label} ${value}")
  else()
    message(STATUS "  ${label} not found: ${otherwise}")
  endif()
endfunction()

find_program(BWRAP_PROGRAM bwrap)
find_program(GNUPLOT_PROGRAM gnuplot)
find_program(NVIDIA_SMI_PROGRAM nvidia-smi HINTS /usr/local/nvidia/bin)
message(STATUS "CUDA Lab Kit ${PROJECT_VERSION}")
message(STATUS "  host compiler  ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}")
kit_found("nvcc          " "${NVCC_PROGRAM}" "labs run in emulation")
kit_found("NVIDIA driver " "${NVIDIA_SMI_PROGRAM}" "no GPU; labs run in emulation")
kit_found("bubblewrap    " "${BWRAP_PROGRAM}" "students' programs run unprotected")
kit_found("gnuplot       " "${GNUPLOT_PROGRAM}" "no SVG plots")
message(STATUS "  labs ${KIT_BUILD_LABS}, tests ${KIT_BUILD_TESTS}, benchmarks ${KIT_BUILD_BENCH}, docs ${KIT_BUILD_DOCS}, "
               "portable ${KIT_PORTABLE}, sanitizers ${KIT_SANITIZE}, warnings are errors ${KIT_WERROR}")
