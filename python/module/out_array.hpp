// The array that a call fills: the caller's, or a new one.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::python {

struct OutArray {
    nanobind::object object;  ///< what the call returns
    std::byte* data = nullptr;
    bool on_device = false;
};

struct ArrayRequest {
    std::vector<std::size_t> shape;
    bool in_double = false;
    std::string device;  ///< "cpu" or "cuda", or empty: where `out` lies, or else the host
};

/// Checks `out`, an array of any package that speaks DLPack, or makes an array if it is None: of
/// NumPy, or one with __dlpack__ in the memory of the GPU. Throws Error for an array of another
/// type, shape or layout, and for a GPU where none computes.
OutArray out_array(const nanobind::object& out, const ArrayRequest& request);

}  // namespace tessera::python
