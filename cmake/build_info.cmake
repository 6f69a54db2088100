# What every output file says about the program that wrote it: version, revision, compiler.

set(TESSERA_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)
find_package(Git QUIET)
set(TESSERA_GIT_REVISION unknown)
if(GIT_FOUND)
    execute_process(
        COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        OUTPUT_VARIABLE revision
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
        RESULT_VARIABLE git_failed)
    if(NOT git_failed)
        set(TESSERA_GIT_REVISION ${revision})
    endif()
endif()
# A commit configures again, so that results name the revision that they came from.
if(EXISTS ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                           ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
endif()
string(JOIN ", " TESSERA_REVISION_AND_CPU ${TESSERA_GIT_REVISION} ${TESSERA_CPU})
set(TESSERA_CUDA_VERSION "none")
if(TESSERA_ENABLE_CUDA)
    set(TESSERA_CUDA_VERSION ${CMAKE_CUDA_COMPILER_VERSION})
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/build_info.hpp.in
               ${TESSERA_GENERATED_DIR}/build_info.hpp @ONLY)
