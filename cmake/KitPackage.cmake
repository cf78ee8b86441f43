# Read by cpack for each generator: a .deb has the whole kit in one folder of its own, with links to the programs.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /opt/cuda-lab-kit)
endif()
