# BOINC's library for applications: target BOINC::api. These are the shared libraries, because the static
# libboinc_api.a of Debian 12 holds no code. BOINC_API_LIBRARY and BOINC_LIBRARY may name static ones.
find_path(BOINC_INCLUDE_DIR app_ipc.h PATH_SUFFIXES boinc)
find_path(BOINC_API_INCLUDE_DIR boinc_api.h PATH_SUFFIXES boinc/api boinc)
find_library(BOINC_API_LIBRARY boinc_api)
find_library(BOINC_LIBRARY boinc)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
    BOINC REQUIRED_VARS BOINC_API_LIBRARY BOINC_LIBRARY BOINC_INCLUDE_DIR BOINC_API_INCLUDE_DIR)
if(BOINC_FOUND AND NOT TARGET BOINC::api)
    add_library(BOINC::api UNKNOWN IMPORTED)
    set_target_properties(
        BOINC::api
        PROPERTIES IMPORTED_LOCATION ${BOINC_API_LIBRARY}
                   INTERFACE_INCLUDE_DIRECTORIES "${BOINC_API_INCLUDE_DIR};${BOINC_INCLUDE_DIR}"
                   INTERFACE_LINK_LIBRARIES "${BOINC_LIBRARY};Threads::Threads")
endif()
mark_as_advanced(BOINC_INCLUDE_DIR BOINC_API_INCLUDE_DIR BOINC_API_LIBRARY BOINC_LIBRARY)
