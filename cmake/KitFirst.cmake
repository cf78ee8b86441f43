# The target `first` has the parts that a first grading needs. ./bootstrap builds only this target. build/build-part
# builds the rest of `all` on first use, for the grader and for emucc.
add_custom_target(first)
foreach(target grader emucc cuemu emu_headers cuda_lab_profile)
  if(TARGET ${target})
    add_dependencies(first ${target})
  endif()
endforeach()
configure_file(cmake/build-part.in "${CMAKE_BINARY_DIR}/build-part" @ONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# build/env.sh puts the programs on the PATH.
set(KIT_ENV_TO_PREFIX .)
file(RELATIVE_PATH KIT_ENV_TO_KIT "${CMAKE_BINARY_DIR}" "${CMAKE_SOURCE_DIR}")
configure_file(cmake/env.sh.in "${CMAKE_BINARY_DIR}/env.sh" @ONLY)
