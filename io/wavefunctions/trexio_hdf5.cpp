// The HDF5 back end: a group of datasets and attributes for each group of the format.
#include "core/error.hpp"
#include "io/hdf5/h5.hpp"
#include "io/text/one_line.hpp"
#include "io/wavefunctions/trexio_values.hpp"

namespace tessera::io {
namespace {

bool belongs_to(std::string_view name, std::string_view group) {
    return name.starts_with(std::string(group) + "_");
}

void read_group(const h5::Group& group, std::string_view group_name, TrexioValues& values) {
    for (const std::string_view name : trexio_numbers)
        if (belongs_to(name, group_name) && group.has_attribute(std::string(name)))
            values.numbers[std::string(name)] =
                group.read_attribute<std::int64_t>(std::string(name));
    for (const std::string_view name : trexio_words)
        if (belongs_to(name, group_name) && group.has_attribute(std::string(name)))
            values.words[std::string(name)] =
                one_line(group.read_attribute<std::string>(std::string(name)));
    for (const std::string_view name : trexio_arrays)
        if (belongs_to(name, group_name) && group.contains(std::string(name)))
            values.arrays[std::string(name)] =
                group.open_dataset(std::string(name)).read<double>().values;
    for (const std::string_view name : trexio_texts) {
        if (!belongs_to(name, group_name) || !group.contains(std::string(name))) continue;
        for (const std::string& text : group.open_dataset(std::string(name)).read_strings())
            values.texts[std::string(name)].push_back(one_line(text, 40));
    }
}

/// "problem (why): what to do" without what to do, which is that of Tessera's own results.
std::string without_advice(const std::string& line) {
    const std::size_t end = line.rfind("): ");
    return line.substr(0, end == line.npos ? end : end + 1);
}

}  // namespace

TrexioValues read_trexio_hdf5(const std::string& path) {
    TrexioValues values;
    try {
        const h5::File file = h5::File::open(path);
        const h5::Group root = file.root();
        for (const std::string_view group : trexio_groups)
            if (root.contains(std::string(group)))
                read_group(root.open_group(std::string(group)), group, values);
    } catch (const Error& error) {
        if (error.code() != ExitCode::usage) throw;
        throw Error("cannot read wavefunction '" + path + "'", without_advice(error.what()),
                    "give a complete file of TREXIO");
    }
    return values;
}

}  // namespace tessera::io
