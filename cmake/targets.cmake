# One library a folder.

# Adds library `name` from every .cpp below the given folders (default: the current one), with
# include paths as in `#include "io/proteins/structure.hpp"`; header-only folders become INTERFACE
# libraries. KOKKOS: the sources include Kokkos and are compiled as CUDA where CUDA is on.
function(tessera_add_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "KOKKOS" "" "FOLDERS;LINK;LINK_PRIVATE")
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
    endif()
    add_library(tessera::${name} ALIAS ${name})
endfunction()

# Marks sources that include Kokkos headers, in the folder that builds them.
macro(tessera_kokkos_sources)
    if(TESSERA_ENABLE_CUDA)
        set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
    endif()
endmacro()
