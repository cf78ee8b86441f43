# Compares the optimiser's output with threads that run one by one.
if(TARGET cuemu)
  file(GLOB optimiser_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/emucc/*_test.cpp")
  kit_add_test(emu_optimiser_programs SOURCES ${optimiser_tests} BATCH 1 DEPENDS emucc cuemu emu_headers)
  set(optimiser_test_common LABELS emu TIMEOUT 1200 PROVES emucc cuemu emu_headers)
  kit_add_run(emu_optimiser_programs random_kernels FILTER Seeds/* SHARDS 4 ${optimiser_test_common})
  kit_add_run(emu_optimiser_programs lab_kernels REST ${optimiser_test_common} READS solutions labs common/lab/include)
endif()
