// The part of io/hdf5/h5.hpp that reads and writes attributes.
#include "core/error.hpp"
#include "io/hdf5/h5.hpp"
#include "io/hdf5/h5_text_references.hpp"
#include "io/hdf5/h5_types.hpp"

namespace tessera::io::h5 {

Object::Object(ObjectHandle handle, std::shared_ptr<FileAccess> access, std::string name)
    : handle_(std::move(handle)), access_(std::move(access)), name_(std::move(name)) {}

template <class Result>
Result Object::check(Result result, const char* action, const std::string& name) const {
    if (result < 0)
        throw Error(std::string("cannot ") + action + " '" + name + "' of '" + file() + "'",
                    last_message(), "check that the disk has space", ExitCode::resources);
    return result;
}

template <class Result>
Result Object::check_read(Result result, const char* action, const std::string& name) const {
    if (result < 0)
        throw Error(std::string("cannot ") + action + " '" + name + "' of '" + file() + "'",
                    last_message(), "check the disk, and that tessera wrote the file",
                    system_failed() ? ExitCode::resources : ExitCode::usage);
    return result;
}

#define TESSERA_INSTANTIATE(T)                                                                     \
    template T Object::check(T, const char*, const std::string&) const;                            \
    template T Object::check_read(T, const char*, const std::string&) const;
TESSERA_INSTANTIATE(hid_t)
TESSERA_INSTANTIATE(int)
#undef TESSERA_INSTANTIATE

void Object::refuse(const std::string& what, const std::string& why) const {
    throw Error("cannot use " + what + " of '" + file() + "'", why,
                "give an unchanged output file of tessera");
}

void Object::count_read(std::uint64_t bytes, const std::string& what) const {
    if (bytes > access_->readable_bytes)
        refuse(what, "it claims to hold more than a file of this size can");
    access_->readable_bytes -= bytes;
}

void Object::require_texts(hid_t holder, std::uint64_t count, const std::string& what,
                           const std::function<herr_t(hid_t type, void* into)>& read) const {
    if (access_->is_being_written || count == 0) return;
    const TextReferences references(holder, count, read);
    if (!references.are_sound()) refuse(what, "a text of it is not where it says");
    if (references.bytes() > access_->readable_bytes)
        refuse(what, "it claims to hold more than a file of this size can");
}

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
    return check_read(H5Aexists(handle_.get(), name.c_str()), "look for attribute",
                      name_ + "@" + name) > 0;
}

AttributeHandle Object::open_attribute(const std::string& name) const {
    return AttributeHandle(check_read(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT),
                                      "open attribute", name_ + "@" + name));
}

template <class T>
std::vector<T> Object::read_attributes(const std::string& name) const {
    const std::string full = name_ + "@" + name, what = "attribute '" + full + "'";
    const AttributeHandle attribute = open_attribute(name);
    const SpaceHandle space(check_read(H5Aget_space(attribute.get()), "read the shape of", full));
    const TypeHandle stored(check_read(H5Aget_type(attribute.get()), "read the type of", full));
    const auto count = element_count(shape_of(space.get()));
    const auto read = [&](hid_t type, void* into) {
        check_read(H5Aread(attribute.get(), type, into), "read attribute", full);
    };
    if constexpr (std::same_as<T, std::string>) {
        constexpr std::uint64_t most_texts = 1024;
        if (H5Tget_class(stored.get()) != H5T_STRING) refuse(what, "it is not text");
        if (count > most_texts) refuse(what, "it has too many texts");
        if (H5Tis_variable_str(stored.get()) > 0)
            require_texts(attribute.get(), count, what, [&](hid_t type, void* into) {
                return H5Aread(attribute.get(), type, into);
            });
        else
            count_read(element_count({count, H5Tget_size(stored.get())}), what);
        const auto texts = read_texts(stored.get(), space.get(), count, read);
        for (const std::string& text : texts)
            if (text.find('\0') != std::string::npos) refuse(what, "a text contains a zero byte");
        return texts;
    } else {
        if (!reads_as<T>(stored.get())) refuse(what, "its values have another type");
        if (count > H5Aget_storage_size(attribute.get()))
            refuse(what, "not all of its values are in the file");
        count_read(element_count({count, sizeof(T)}), what);
        std::vector<T> values(count);
        if (!values.empty()) read(memory_type<T>(), values.data());
        return values;
    }
}

template <class T>
T Object::read_attribute(const std::string& name) const {
    const std::vector<T> values = read_attributes<T>(name);
    if (values.size() != 1)
        refuse("attribute '" + name_ + "@" + name + "'",
               "it has " + std::to_string(values.size()) + " values instead of one");
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
