# cfitsio, which reads FITS files: target CFITSIO::CFITSIO, and CFITSIO_SONAME, the name that the system loads it by
# (empty for a static library).
find_path(CFITSIO_INCLUDE_DIR fitsio.h PATH_SUFFIXES cfitsio)
find_library(CFITSIO_LIBRARY cfitsio)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CFITSIO REQUIRED_VARS CFITSIO_LIBRARY CFITSIO_INCLUDE_DIR)
if(CFITSIO_FOUND AND NOT TARGET CFITSIO::CFITSIO)
    add_library(CFITSIO::CFITSIO UNKNOWN IMPORTED)
    set_target_properties(
        CFITSIO::CFITSIO PROPERTIES IMPORTED_LOCATION ${CFITSIO_LIBRARY}
                                    INTERFACE_INCLUDE_DIRECTORIES ${CFITSIO_INCLUDE_DIR})
endif()
if(CFITSIO_FOUND AND CMAKE_READELF AND NOT DEFINED CFITSIO_SONAME)
    execute_process(COMMAND ${CMAKE_READELF} -d ${CFITSIO_LIBRARY} OUTPUT_VARIABLE cfitsio_dynamic ERROR_QUIET)
    string(REGEX MATCH "SONAME[^[]*\\[([^]]*)\\]" cfitsio_soname "${cfitsio_dynamic}")
    set(CFITSIO_SONAME "${CMAKE_MATCH_1}" CACHE STRING "Name that the system loads cfitsio by")
endif()
mark_as_advanced(CFITSIO_SONAME CFITSIO_INCLUDE_DIR CFITSIO_LIBRARY)
