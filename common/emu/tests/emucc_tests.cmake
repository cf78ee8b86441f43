# Tests emucc with command lines as users write them: real .cu programs, which are built and run, messages,
# and invalid input.
if(TARGET cuemu)
  set(emucc_test_topics programs projects emucc_driver causes refused)
  list(TRANSFORM emucc_test_topics REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/\\1_test.cpp" OUTPUT_VARIABLE emucc_test_sources)
  get_property(emu_extra_archives GLOBAL PROPERTY KIT_EXTRAS)
  set(emucc_test_needs emucc cuemu ${emu_extra_archives} emu_headers)
  set(emucc_test_checker "")
  if(TARGET cuemu_check)
    set(emucc_test_checker cuemu_check)
  endif()
  kit_add_test(emu_programs SOURCES ${emucc_test_sources} BATCH 1 LIBRARIES emu_test_folders DEPENDS ${emucc_test_needs} ${emucc_test_checker}
               NAMED_AFTER ${emu_test_programs} ${emu_test_projects} "${CMAKE_CURRENT_LIST_DIR}/refused" "${CMAKE_CURRENT_LIST_DIR}/mistakes")
  set(emucc_test_common LABELS emu TIMEOUT 1200 PROVES ${emucc_test_needs})
  kit_add_run(emu_programs programs FILTER Programs/* SHARDS 8 ${emucc_test_common} NAMED_AFTER ${emu_test_programs})
  kit_add_run(emu_programs refused FILTER Restrictions/* SHARDS 4 ${emucc_test_common} NAMED_AFTER "${CMAKE_CURRENT_LIST_DIR}/refused"
              READS common/emu/tests/refused.sh common/emu/tests/compiler_here.sh)
  if(TARGET cuemu_check)
    target_compile_definitions(emu_programs PRIVATE KIT_CHECKER)
    kit_add_run(emu_programs mistakes FILTER Mistakes/* SHARDS 2 ${emucc_test_common} PROVES ${emucc_test_checker} NAMED_AFTER "${CMAKE_CURRENT_LIST_DIR}/mistakes"
                READS common/emu/tests/mistakes.sh common/emu/tests/compiler_here.sh)
  endif()
  kit_add_run(emu_programs causes FILTER Causes.* ${emucc_test_common} PROVES ${emucc_test_checker} READS common/emu/tests/causes common/lab/include)
  kit_add_run(emu_programs rest REST SHARDS 2 ${emucc_test_common} NAMED_AFTER ${emu_test_projects})
endif()

# Builds the same programs and projects with nvcc and runs them, on a machine with a GPU.
add_test(NAME emu_gpu_agreement COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tests/gpu_agreement.sh")
set_tests_properties(emu_gpu_agreement PROPERTIES LABELS gpu TIMEOUT 1200 SKIP_RETURN_CODE 77)
kit_declare_test(emu_gpu_agreement LABEL gpu READS common/emu/tests/programs common/emu/tests/projects common/emu/extras common/emu/tests/gpu_agreement.sh)

# Builds whole programs that contain a mistake with nvcc and runs them, on a machine with a GPU.
add_test(NAME emu_mistakes_on_gpu COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tests/mistakes.sh" nvcc)
set_tests_properties(emu_mistakes_on_gpu PROPERTIES LABELS gpu TIMEOUT 1200 SKIP_RETURN_CODE 77)
kit_declare_test(emu_mistakes_on_gpu LABEL gpu READS common/emu/tests/mistakes common/emu/tests/mistakes.sh common/emu/tests/compiler_here.sh)

# Compiles programs that nvcc refuses, if nvcc is installed.
add_test(NAME emu_refused_by_nvcc COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tests/refused.sh" nvcc)
set_tests_properties(emu_refused_by_nvcc PROPERTIES LABELS gpu TIMEOUT 1200 SKIP_RETURN_CODE 77)
kit_declare_test(emu_refused_by_nvcc LABEL gpu READS common/emu/tests/refused common/emu/tests/refused.sh common/emu/tests/compiler_here.sh)
