// Attributes of groups and datasets.
#include "core/error.hpp"
#include "io/h5.hpp"
#include "io/h5_types.hpp"

namespace tessera::io::h5 {

Object::Object(ObjectHandle handle, std::string file, std::string name)
    : handle_(std::move(handle)), file_(std::move(file)), name_(std::move(name)) {}

template <class Result>
Result Object::check(Result result, const char* action, const std::string& name) const {
    if (result < 0)
        throw Error(std::string("cannot ") + action + " '" + name + "' of '" + file_ + "'",
                    last_message(), "check that the file is whole and the disk has room",
                    ExitCode::resources);
    return result;
}

template hid_t Object::check(hid_t, const char*, const std::string&) const;
template int Object::check(int, const char*, const std::string&) const;

namespace {

SpaceHandle list_space(std::size_t count) {
    const hsize_t length = count;
    return SpaceHandle(H5Screate_simple(1, &length, nullptr));
}

SpaceHandle scalar_space() { return SpaceHandle(H5Screate(H5S_SCALAR)); }

}  // namespace

void Object::replace_attribute(const std::string& name, hid_t stored, hid_t memory, hid_t space,
                               const void* data) {
    const std::string full = name_ + "@" + name;
    if (has_attribute(name)) check(H5Adelete(handle_.get(), name.c_str()), "replace", full);
    const AttributeHandle attribute(
        check(H5Acreate2(handle_.get(), name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT),
              "create attribute", full));
    if (H5Sget_simple_extent_npoints(space) > 0)
        check(H5Awrite(attribute.get(), memory, data), "write attribute", full);
}

void Object::write_attribute(const std::string& name, const std::string& text) {
    const TypeHandle type = variable_text_type();
    const SpaceHandle space = scalar_space();
    const char* pointer = text.c_str();
    replace_attribute(name, type.get(), type.get(), space.get(), &pointer);
}

void Object::write_attribute(const std::string& name, const char* text) {
    write_attribute(name, std::string(text));
}

void Object::write_attribute(const std::string& name, const std::vector<std::string>& texts) {
    const TypeHandle type = variable_text_type();
    const SpaceHandle space = list_space(texts.size());
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    replace_attribute(name, type.get(), type.get(), space.get(), pointers.data());
}

template <Number T>
void Object::write_attribute(const std::string& name, T value) {
    const SpaceHandle space = scalar_space();
    replace_attribute(name, stored_type<T>(), memory_type<T>(), space.get(), &value);
}

template <Number T>
void Object::write_attribute(const std::string& name, const std::vector<T>& values) {
    const SpaceHandle space = list_space(values.size());
    replace_attribute(name, stored_type<T>(), memory_type<T>(), space.get(), values.data());
}

bool Object::has_attribute(const std::string& name) const {
    return check(H5Aexists(handle_.get(), name.c_str()), "look for attribute", name_ + "@" + name) >
           0;
}

AttributeHandle Object::open_attribute(const std::string& name) const {
    return AttributeHandle(check(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT),
                                 "open attribute", name_ + "@" + name));
}

template <class T>
std::vector<T> Object::read_attributes(const std::string& name) const {
    const AttributeHandle attribute = open_attribute(name);
    const SpaceHandle space(H5Aget_space(attribute.get()));
    const auto read = [&](hid_t type, void* into) {
        check(H5Aread(attribute.get(), type, into), "read attribute", name_ + "@" + name);
    };
    if constexpr (std::same_as<T, std::string>) {
        const TypeHandle stored(H5Aget_type(attribute.get()));
        if (H5Tget_class(stored.get()) != H5T_STRING)
            throw Error("attribute '" + name_ + "@" + name + "' of '" + file_ + "' is not text",
                        "the file was not written as expected", "check that it is Tessera's");
        return read_texts(stored.get(), space.get(), read);
    } else {
        std::vector<T> values(element_count(shape_of(space.get())));
        if (!values.empty()) read(memory_type<T>(), values.data());
        return values;
    }
}

template <class T>
T Object::read_attribute(const std::string& name) const {
    const std::vector<T> values = read_attributes<T>(name);
    if (values.size() != 1)
        throw Error("attribute '" + name_ + "@" + name + "' of '" + file_ + "' is not one value",
                    std::to_string(values.size()) + " values", "check that the file is Tessera's");
    return values.front();
}

template std::string Object::read_attribute(const std::string&) const;
template std::vector<std::string> Object::read_attributes(const std::string&) const;

#define TESSERA_INSTANTIATE(T)                                                                     \
    template void Object::write_attribute(const std::string&, T);                                  \
    template void Object::write_attribute(const std::string&, const std::vector<T>&);              \
    template T Object::read_attribute(const std::string&) const;                                   \
    template std::vector<T> Object::read_attributes(const std::string&) const;
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(std::int32_t)
TESSERA_INSTANTIATE(std::int64_t)
TESSERA_INSTANTIATE(std::uint32_t)
TESSERA_INSTANTIATE(std::uint64_t)
TESSERA_INSTANTIATE(std::int8_t)
TESSERA_INSTANTIATE(std::uint8_t)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::io::h5
