#include "io/hdf5/dimensions.hpp"

#include <cstring>

#include "core/error.hpp"
#include "io/hdf5/h5_types.hpp"

namespace tessera::io::h5 {

namespace {

/// A reference from a scale back to an axis of a dataset, as the specification has it.
struct BackReference {
    hobj_ref_t dataset;
    int axis;
};

template <class Result>
Result checked(Result result, const Group& group) {
    if (result < 0)
        throw Error("cannot name the axes of '" + group.name() + "' of '" + group.file() + "'",
                    last_message(), "check that the disk has space", ExitCode::resources);
    return result;
}

hobj_ref_t reference_to(const Group& group, const std::string& name) {
    hobj_ref_t reference{};
    checked(H5Rcreate(&reference, group.id(), name.c_str(), H5R_OBJECT, H5I_INVALID_HID), group);
    return reference;
}

void write(const Group& group, const std::string& dataset, const char* name, hid_t stored,
           hid_t memory, hid_t space, const void* data) {
    const ObjectHandle object(checked(H5Oopen(group.id(), dataset.c_str(), H5P_DEFAULT), group));
    const AttributeHandle attribute(
        checked(H5Acreate2(object.get(), name, stored, space, H5P_DEFAULT, H5P_DEFAULT), group));
    checked(H5Awrite(attribute.get(), memory, data), group);
}

SpaceHandle space_of(const Group& group, std::size_t count) {
    const hsize_t length = count;
    return SpaceHandle(checked(H5Screate_simple(1, &length, nullptr), group));
}

/// The library of HDF5 recognises a scale by a text of this very type.
void write_fixed_text(const Group& group, const std::string& dataset, const char* name,
                      const std::string& text) {
    const TypeHandle type(checked(H5Tcopy(H5T_C_S1), group));
    checked(H5Tset_size(type.get(), text.size() + 1), group);
    const SpaceHandle space(checked(H5Screate(H5S_SCALAR), group));
    write(group, dataset, name, type.get(), type.get(), space.get(), text.c_str());
}

void write_scale(const Group& group, const std::string& dimension, int axis,
                 const std::vector<std::string>& datasets) {
    write_fixed_text(group, dimension, "CLASS", "DIMENSION_SCALE");
    write_fixed_text(group, dimension, "NAME", dimension);
    std::vector<BackReference> references;
    references.reserve(datasets.size());
    for (const std::string& name : datasets)
        references.push_back({reference_to(group, name), axis});
    if (references.empty()) return;
    const TypeHandle type(checked(H5Tcreate(H5T_COMPOUND, sizeof(BackReference)), group));
    checked(H5Tinsert(type.get(), "dataset", HOFFSET(BackReference, dataset), H5T_STD_REF_OBJ),
            group);
    checked(H5Tinsert(type.get(), "dimension", HOFFSET(BackReference, axis), H5T_NATIVE_INT),
            group);
    const SpaceHandle space = space_of(group, references.size());
    write(group, dimension, "REFERENCE_LIST", type.get(), type.get(), space.get(),
          references.data());
}

}  // namespace

void name_dimensions(const Group& group, const std::vector<std::string>& dimensions,
                     const std::vector<std::string>& datasets) {
    for (std::size_t axis = 0; axis < dimensions.size(); ++axis)
        write_scale(group, dimensions[axis], static_cast<int>(axis), datasets);
    std::vector<hobj_ref_t> scales;
    scales.reserve(dimensions.size());
    for (const std::string& name : dimensions) scales.push_back(reference_to(group, name));
    std::vector<hvl_t> lists;
    lists.reserve(scales.size());
    for (hobj_ref_t& scale : scales) lists.push_back({1, &scale});
    const TypeHandle type(checked(H5Tvlen_create(H5T_STD_REF_OBJ), group));
    const SpaceHandle space = space_of(group, lists.size());
    for (const std::string& name : datasets)
        write(group, name, "DIMENSION_LIST", type.get(), type.get(), space.get(), lists.data());
}

}  // namespace tessera::io::h5
