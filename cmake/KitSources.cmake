# Adds the tests of the sources as text, which check their format and the statements of pages about them.

# A class's kit has neither of these tests.
if(KIT_BUILD_TESTS AND EXISTS "${CMAKE_SOURCE_DIR}/docs/tests")
  add_test(NAME sources.are_formatted COMMAND "${CMAKE_SOURCE_DIR}/.ci/format")
  set_tests_properties(sources.are_formatted PROPERTIES LABELS format SKIP_RETURN_CODE 77 TIMEOUT 120)
  kit_declare_test(sources.are_formatted LABEL format READS .)
  add_subdirectory(docs/tests)
endif()
