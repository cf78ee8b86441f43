# cmake --install build --prefix DIR installs a relocatable kit, whose users need no write permission.
# cpack, in the build folder, packs the same files as a .tar.gz, which may be unpacked anywhere, and as .deb packages.
#
# There are two components: `kit`, and `solutions`, which a class does not get.
# cmake --install build --prefix DIR --component kit
if(NOT TARGET grader OR NOT TARGET emucc)
  return()
endif()

# In an installed kit, no part is built on first use.
install(CODE "execute_process(COMMAND \"${CMAKE_BINARY_DIR}/build-part\" all OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)" COMPONENT kit)
install(TARGETS grader grader-keeper emucc RUNTIME DESTINATION bin COMPONENT kit)
get_property(tools GLOBAL PROPERTY KIT_TOOLS)
get_property(extras GLOBAL PROPERTY KIT_EXTRAS)
foreach(library cuemu cuemu_guard cuemu_unwatched ${extras} ${tools} cuda_lab_profile)
  if(TARGET ${library})
    install(TARGETS ${library} ARCHIVE DESTINATION lib COMPONENT kit LIBRARY DESTINATION lib COMPONENT kit)
  endif()
endforeach()
install(DIRECTORY "${KIT_INCLUDE_DIR}/emu" DESTINATION include COMPONENT kit)
install(FILES "${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/extras.txt" DESTINATION lib COMPONENT kit)
install(DIRECTORY "${CMAKE_BINARY_DIR}/cuda" DESTINATION . COMPONENT kit)
install(DIRECTORY "${CMAKE_BINARY_DIR}/share/" DESTINATION share COMPONENT kit)
install(DIRECTORY common/lab/include DESTINATION common/lab COMPONENT kit)
install(DIRECTORY labs gold hunts DESTINATION . COMPONENT kit PATTERN tests EXCLUDE)
install(DIRECTORY docs DESTINATION . COMPONENT kit FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.json"
        PATTERN exam.md EXCLUDE)
install(FILES README.md LICENSE DESTINATION . COMPONENT kit)
install(DIRECTORY solutions DESTINATION . COMPONENT solutions)
install(FILES docs/exam.md DESTINATION docs COMPONENT solutions OPTIONAL)  # has answers: not for a class

set(KIT_ENV_TO_PREFIX .)
set(KIT_ENV_TO_KIT .)
configure_file(cmake/env.sh.in "${CMAKE_BINARY_DIR}/installed/env.sh" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/installed/env.sh" DESTINATION . COMPONENT kit)
# This file tells the grader that the kit is installed. Then users' work and records are in folders of their own.
file(WRITE "${CMAKE_BINARY_DIR}/installed/installed" "${PROJECT_VERSION}\n")
install(FILES "${CMAKE_BINARY_DIR}/installed/installed" DESTINATION share COMPONENT kit)

# -- Packages.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME "${PROJECT_NAME}")
set(CPACK_PACKAGE_VENDOR "CUDA Lab Kit")
set(CPACK_PACKAGE_CONTACT "The maintainers of the CUDA Lab Kit <cuda-lab-kit@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_FILE_NAME "${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL kit solutions)

set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_SOURCE_DIR}/cmake/KitPackage.cmake")
find_program(KIT_DPKG dpkg)
if(KIT_DPKG)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION education)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # the shared libraries of grader and emucc
  file(STRINGS bootstrap packages REGEX "^packages=" LIMIT_COUNT 1)
  string(REGEX REPLACE "^packages=\\(|\\)$" "" packages "${packages}")
  get_filename_component(compiler "${CMAKE_CXX_COMPILER}" NAME)
  if(NOT compiler MATCHES "^g\\+\\+-[0-9]+$")
    set(compiler "g++ (>= 4:12)")
  endif()
  string(REPLACE " " ", " packages "${packages}")
  set(packages "${compiler}, ${packages}")
  set(CPACK_DEBIAN_KIT_PACKAGE_NAME "${PROJECT_NAME}")
  set(CPACK_DEBIAN_KIT_PACKAGE_DEPENDS "${packages}")
  set(CPACK_DEBIAN_KIT_PACKAGE_SUGGESTS "libopenblas0, libfftw3-single3, libfftw3-double3")  # cuBLAS and cuFFT in emulation
  set(CPACK_DEBIAN_KIT_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/cmake/deb/postinst;${CMAKE_SOURCE_DIR}/cmake/deb/prerm")
  set(CPACK_DEBIAN_SOLUTIONS_PACKAGE_NAME "${PROJECT_NAME}-solutions")
  set(CPACK_DEBIAN_SOLUTIONS_PACKAGE_DEPENDS "${PROJECT_NAME} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_SOLUTIONS_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_COMPONENT_KIT_DESCRIPTION "${PROJECT_DESCRIPTION}")
  set(CPACK_COMPONENT_SOLUTIONS_DESCRIPTION "The solutions of the labs of the CUDA Lab Kit")
endif()
include(CPack)
