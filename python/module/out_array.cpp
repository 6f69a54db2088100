#include "out_array.hpp"

#include <nanobind/ndarray.h>

#include "array_pool.hpp"
#include "core/error.hpp"
#include "process_device.hpp"

namespace nb = nanobind;

namespace tessera::python {

namespace {

std::string name_of(bool in_double) { return in_double ? "float64" : "float32"; }

nb::dlpack::dtype type_of(bool in_double) {
    return in_double ? nb::dtype<double>() : nb::dtype<float>();
}

/// "(2, 3, 4)", as Python writes it.
std::string text_of(const std::vector<std::size_t>& shape) {
    std::string text = "(";
    for (const std::size_t size : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::vector<std::size_t> shape_of(const nb::ndarray<>& array) {
    std::vector<std::size_t> shape;
    for (std::size_t i = 0; i < array.ndim(); ++i) shape.push_back(array.shape(i));
    return shape;
}

bool is_contiguous(const nb::ndarray<>& array) {
    std::int64_t step = 1;
    for (std::size_t i = array.ndim(); i-- > 0;) {
        if (array.shape(i) != 1 && array.stride(i) != step) return false;
        step *= static_cast<std::int64_t>(array.shape(i));
    }
    return true;
}

void require_gpu() {
    if (running_device().backend != kernels::Backend::cuda)
        throw Error("the values cannot stay on a GPU",
                    "this process computes on " + kernels::name_of(running_device().backend),
                    "leave device=\"cuda\" out, or use a build with CUDA");
}

OutArray new_array(const ArrayRequest& request) {
    const bool on_device = request.device == "cuda";
    std::size_t bytes = request.in_double ? 8 : 4;
    for (const std::size_t size : request.shape) bytes *= size;
    LentMemory memory = lend_memory(on_device ? Place::device : Place::host, bytes);
    const auto make = [&](auto framework) -> nb::object {
        return nb::cast(nb::ndarray<decltype(framework)>(
            memory.data, request.shape.size(), request.shape.data(), memory.owner, nullptr,
            type_of(request.in_double),
            on_device ? nb::device::cuda::value : nb::device::cpu::value));
    };
    return {on_device ? make(nb::array_api{}) : make(nb::numpy{}), memory.data, on_device};
}

}  // namespace

OutArray out_array(const nb::object& out, const ArrayRequest& request) {
    if (!request.device.empty() && request.device != "cpu" && request.device != "cuda")
        throw Error("device is '" + request.device + "'", "values are on the cpu or on cuda",
                    "choose \"cpu\" or \"cuda\"");
    if (request.device == "cuda") require_gpu();
    if (out.is_none()) return new_array(request);
    nb::ndarray<> array;
    if (!nb::try_cast(out, array, false))
        throw Error("out cannot be written",
                    "it is of type " + nb::cast<std::string>(nb::str(out.type().attr("__name__"))) +
                        ", and no array of numbers with write access",
                    "give an array of " + name_of(request.in_double));
    if (array.dtype() != type_of(request.in_double))
        throw Error("out holds numbers of another type",
                    "these values are " + name_of(request.in_double),
                    "give an array of " + name_of(request.in_double));
    if (shape_of(array) != request.shape)
        throw Error("out has the shape " + text_of(shape_of(array)),
                    "the values have the shape " + text_of(request.shape), "give such an array");
    if (!is_contiguous(array))
        throw Error("out has gaps or another order",
                    "values are written without gaps, the last index fastest",
                    "give a contiguous array");
    const int place = array.device_type();
    const bool on_device = place == nb::device::cuda::value;
    if (on_device) require_gpu();
    if (!on_device && place != nb::device::cpu::value && place != nb::device::cuda_host::value &&
        place != nb::device::cuda_managed::value)
        throw Error("out lies on a device that this process does not use",
                    "values are on the cpu or on cuda", "give an array there");
    if (!request.device.empty() && on_device != (request.device == "cuda"))
        throw Error("out does not lie on " + request.device, "device asks for it",
                    "leave device out");
    return {out, static_cast<std::byte*>(array.data()), on_device};
}

}  // namespace tessera::python
