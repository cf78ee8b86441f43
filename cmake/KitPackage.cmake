# Read by cpack for each generator: a .deb has the whole kit in one folder of its own, with links to the programs.
if(CPACK_GENERATOR STREQUAL "DEB")
  # Without it cpack would make a package that doesn't know the libraries it needs.
  find_program(KIT_SHLIBDEPS dpkg-shlibdeps)
  if(NOT KIT_SHLIBDEPS)
    message(FATAL_ERROR "A .deb can't be made without dpkg-shlibdeps: apt install dpkg-dev, then run cpack again.")
  endif()
  set(CPACK_PACKAGING_INSTALL_PREFIX /opt/cuda-lab-kit)
endif()
