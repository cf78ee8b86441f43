# cpack reads this file for each generator. A .deb has the whole kit in one folder, with links to the programs.
if(CPACK_GENERATOR STREQUAL "DEB")
  # With these programs, cpack finds the libraries that a package needs. Without them, the package would have no
  # dependencies.
  find_program(KIT_SHLIBDEPS dpkg-shlibdeps)
  find_program(KIT_FILE file)
  if(NOT KIT_SHLIBDEPS OR NOT KIT_FILE)
    message(FATAL_ERROR "A .deb can't be made without dpkg-shlibdeps and file: apt install dpkg-dev file, then run cpack again.")
  endif()
  set(CPACK_PACKAGING_INSTALL_PREFIX /opt/cuda-lab-kit)
endif()
