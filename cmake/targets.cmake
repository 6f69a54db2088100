# One library a folder.

# Most of the time of a compilation goes into the headers that sources share, and into what their templates become.
# TESSERA_UNITY compiles the sources of a folder as one; those of larger folders in 2, 4 or 8 groups by the first letter of
# their names, so that a new source changes no other group.
function(tessera_compile_together name)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${TESSERA_UNITY} UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${name} SOURCES)
    list(TRANSFORM sources REPLACE "/[^/]*$" "" OUTPUT_VARIABLE folders)
    foreach(source folder IN ZIP_LISTS sources folders)
        set(of_folder ${folders})
        list(FILTER of_folder INCLUDE REGEX "^${folder}$")
        list(LENGTH of_folder count)
        tessera_group_of(${source} ${count} group)
        string(REPLACE "${PROJECT_SOURCE_DIR}/" "" group "${folder}/${group}")
        string(MAKE_C_IDENTIFIER ${group} group)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    if(TESSERA_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC takes the sources of a group for headers, in which types with unnamed namespaces were a mistake.
        target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    endif()
endfunction()

# The group of a source, from 0, in a folder of `count` sources.
function(tessera_group_of source count result)
    string(REGEX REPLACE ".*/(mpi_)?(test_)?" "" name ${source})
    set(group 0)
    foreach(letters "[d-z]" "[f-z]" "[i-z]" "[n-z]" "[p-z]" "[s-z]" "[t-z]")  # a-c, d-e, f-h, i-m, n-o, p-r, s, t-z
        if(name MATCHES "^${letters}")
            math(EXPR group "${group} + 1")
        endif()
    endforeach()
    if(count LESS 12)
        math(EXPR group "0")
    elseif(count LESS 24)
        math(EXPR group "${group} / 4")
    elseif(count LESS 48)
        math(EXPR group "${group} / 2")
    endif()
    set(${result} ${group} PARENT_SCOPE)
endfunction()

# Adds library `name` from every .cpp below the given folders (default: the current one), with
# include paths as in `#include "io/proteins/structure.hpp"`; header-only folders become INTERFACE
# libraries. KOKKOS: the sources include Kokkos and are compiled as CUDA where CUDA is on. TOGETHER: compiled in groups. A
# program gets all that a group calls: the Python module would get MPI, so libraries that it takes are not.
function(tessera_add_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "KOKKOS;TOGETHER" "" "FOLDERS;LINK;LINK_PRIVATE")
    if(NOT arg_FOLDERS)
        set(arg_FOLDERS ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    list(TRANSFORM arg_FOLDERS APPEND /*.cpp OUTPUT_VARIABLE patterns)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
    if(NOT sources)
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE tessera_core ${arg_LINK})
    else()
        add_library(${name} STATIC ${sources})
        target_link_libraries(
            ${name}
            PUBLIC tessera_core ${arg_LINK}
            PRIVATE tessera_options ${arg_LINK_PRIVATE})
        if(arg_KOKKOS)
            tessera_kokkos_sources(${sources})
            target_link_libraries(${name} PRIVATE Kokkos::kokkos)
        endif()
        if(arg_TOGETHER)
            tessera_compile_together(${name})
        endif()
    endif()
    add_library(tessera::${name} ALIAS ${name})
endfunction()

# Marks sources that include Kokkos headers, in the folder that builds them.
macro(tessera_kokkos_sources)
    if(TESSERA_ENABLE_CUDA)
        set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
    endif()
endmacro()
