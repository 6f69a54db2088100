// The memory of arrays that Python gets. Calls that repeat find it again: the pages of host memory
// are there, beside a GPU they are page-locked, and memory of the GPU need not be allocated.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

namespace tessera::python {

enum class Place { host, device };

/// Memory on loan.
struct LentMemory {
    std::byte* data = nullptr;
    nanobind::capsule owner;  ///< gives the memory back when Python has destroyed it
};

/// Memory that is not cleared. Starts the device. Throws Error if there is too little.
LentMemory lend_memory(Place place, std::size_t bytes);

/// Copies between host and device, and waits.
void copy_memory(void* to, const void* from, std::size_t bytes);

/// Frees what is not on loan, before the device ends. What is on loan stays until the process ends.
void end_array_pool() noexcept;

}  // namespace tessera::python
