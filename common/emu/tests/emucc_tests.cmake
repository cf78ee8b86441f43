# emucc as its users type it: real .cu programs, built and run; messages; bad input.
if(TARGET cuemu)
  set(emucc_test_topics programs projects fission_property emucc_driver causes lab_kernels refused)
  list(TRANSFORM emucc_test_topics REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/\\1_test.cpp" OUTPUT_VARIABLE emucc_test_sources)
  set(emucc_test_needs emucc cuemu cuemu_libraries emu_headers)
  if(TARGET cuemu_check)
    list(APPEND emucc_test_needs cuemu_check)
  endif()
  kit_add_test(emu_programs SOURCES ${emucc_test_sources} BATCH 1 DEPENDS ${emucc_test_needs}
               NAMED_AFTER "${CMAKE_CURRENT_LIST_DIR}/programs" "${CMAKE_CURRENT_LIST_DIR}/projects" "${CMAKE_CURRENT_LIST_DIR}/causes"
               "${CMAKE_CURRENT_LIST_DIR}/refused")
  set(emucc_test_common LABELS emu TIMEOUT 1200 PROVES ${emucc_test_needs} NAMED_AFTER "${CMAKE_CURRENT_LIST_DIR}/programs"
      "${CMAKE_CURRENT_LIST_DIR}/projects" "${CMAKE_CURRENT_LIST_DIR}/causes" "${CMAKE_CURRENT_LIST_DIR}/refused")
  kit_add_run(emu_programs random_kernels FILTER Seeds/* SHARDS 4 ${emucc_test_common})
  kit_add_run(emu_programs programs FILTER Programs/* SHARDS 8 ${emucc_test_common})
  kit_add_run(emu_programs refused FILTER Restrictions/* SHARDS 4 ${emucc_test_common} READS common/emu/tests/refused.sh)
  kit_add_run(emu_programs causes FILTER Causes.* ${emucc_test_common} READS common/lab/include)
  kit_add_run(emu_programs lab_kernels FILTER LabKernels.* ${emucc_test_common} READS solutions labs common/lab/include)
  kit_add_run(emu_programs rest REST SHARDS 2 ${emucc_test_common})
endif()

# The same programs and projects by nvcc, where a GPU is.
add_test(NAME emu_gpu_agreement COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tests/gpu_agreement.sh")
set_tests_properties(emu_gpu_agreement PROPERTIES LABELS gpu TIMEOUT 1200 SKIP_RETURN_CODE 77)
kit_declare_test(emu_gpu_agreement READS common/emu/tests common/emu/include)

# What it refuses, by nvcc, where that is.
add_test(NAME emu_refused_by_nvcc COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tests/refused.sh" nvcc)
set_tests_properties(emu_refused_by_nvcc PROPERTIES LABELS gpu TIMEOUT 1200 SKIP_RETURN_CODE 77)
kit_declare_test(emu_refused_by_nvcc READS common/emu/tests)
