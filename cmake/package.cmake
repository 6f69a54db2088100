# `cpack --preset package`: a Debian package of the program. What it depends on comes from the libraries that the
# program is linked with (dpkg-shlibdeps). scripts/package builds all that goes into it, and scripts/check_package
# tries it in a clean Debian.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "The Tessera developers")
set(CPACK_PACKAGE_CONTACT "The Tessera developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "docking, molecular orbitals and stellar streams on clusters")
set(CPACK_PACKAGE_DESCRIPTION "Docks proteins by correlation, computes molecular orbitals and densities on grids,
and fits models of stellar streams. Results have the same bits on any number of MPI ranks.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
if(CFITSIO_FOUND AND TESSERA_LATE_CFITSIO)  # not linked; the second name is that of Ubuntu 24.04
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libcfitsio10 | libcfitsio10t64")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-h5py, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-matplotlib")

# The programs for newer processors, as far as they have been built beside this one.
if(TESSERA_CPU STREQUAL "x86-64")
    set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};Tessera;ALL;/")
    foreach(level x86-64-v3 x86-64-v4)
        if(EXISTS ${PROJECT_BINARY_DIR}-${level}/tessera)
            list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR}-${level};Tessera;program;/")
        endif()
    endforeach()
endif()

include(CPack)
