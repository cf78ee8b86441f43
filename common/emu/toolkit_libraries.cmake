# The CUDA runtime as linkers find it in the toolkit's folder (-lcudart): the emulation's, with what objects need that were compiled
# for its tools (emucc --check -c). It is a linker script, since each tool is an archive of its own, which may be built later than
# the runtime, and reads debug information by libdw. Objects compiled for no tool get the runtime alone.
#
#   cmake -D LIBRARIES=BUILD/lib -D TOOLKIT=BUILD/cuda -P toolkit_libraries.cmake
set(archives " AS_NEEDED ( -lc )")  # before the checker: a plain program's malloc() is the C library's
foreach(part IN ITEMS cuemu_check cuemu_counters cuemu_watch cuemu cuemu_dwarf)
  if(part STREQUAL "cuemu" OR EXISTS "${LIBRARIES}/lib${part}.a")
    string(APPEND archives " ../../lib/lib${part}.a")  # from the script's folder on, so that the build folder can be moved
  endif()
endforeach()
if(EXISTS "${LIBRARIES}/libcuemu_watch.a" AND NOT EXISTS "${LIBRARIES}/libcuemu_dwarf.a")
  string(APPEND archives " AS_NEEDED ( -ldw )")
endif()
foreach(name IN ITEMS cudart cudart_static)
  file(REMOVE "${TOOLKIT}/lib64/lib${name}.a")
  file(WRITE "${TOOLKIT}/lib64/lib${name}.a" "/* GNU ld script */\nGROUP (${archives} )\n")
endforeach()
