# Adds the tests that read the sources as text: they check the format of sources, and what pages say about them.

# A class's kit has none of these tests.
if(KIT_BUILD_TESTS AND EXISTS "${CMAKE_SOURCE_DIR}/docs/tests")
  add_test(NAME sources.are_formatted COMMAND "${CMAKE_SOURCE_DIR}/.ci/format")
  set_tests_properties(sources.are_formatted PROPERTIES LABELS format SKIP_RETURN_CODE 77 TIMEOUT 120)
  kit_declare_test(sources.are_formatted LABEL format READS .)
  add_subdirectory(docs/tests)
endif()
