#include "docking/screen/pose_shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "core/error.hpp"
#include "docking/pairs/table_fields.hpp"
#include "docking/screen/partner_list.hpp"
#include "docking/screen/screen_progress.hpp"
#include "io/files/file_name.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/result_values.hpp"

namespace tessera::docking {

namespace {

using io::h5::Group;

constexpr auto most = std::numeric_limits<std::int64_t>::max();

const io::h5::DatasetOptions in_angstrom = [] {
    io::h5::DatasetOptions options;
    options.units = "angstrom";
    return options;
}();

template <class Item, class Value>
auto column(const std::vector<Item>& items, const Value& value) {
    std::vector<decltype(value(items.front()))> values;
    values.reserve(items.size());
    for (const Item& item : items) values.push_back(value(item));
    return values;
}

void write_points(Group& group, const std::string& name, const std::vector<Vec3>& points) {
    std::vector<double> values;
    for (const Vec3& p : points) values.insert(values.end(), {p.x, p.y, p.z});
    group.write(name, values, {points.size(), 3}, in_angstrom);
}

std::vector<Vec3> read_points(const Group& group, const std::string& name, std::uint64_t count) {
    const auto values = io::read_finite(group, name, {count, 3});
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < values.size(); i += 3)
        points.push_back({values[i], values[i + 1], values[i + 2]});
    return points;
}

void write_partners(Group group, const std::vector<PoseShard::Partner>& partners) {
    using Partner = PoseShard::Partner;
    group.write_strings("name", column(partners, [](const Partner& p) { return p.name; }));
    group.write_strings("file", column(partners, [](const Partner& p) { return p.path; }));
    group.write_strings("chains", column(partners, [](const Partner& p) {
                            return fmt::format("{}", fmt::join(p.chains, ";"));
                        }));
    group.write_strings("sha256", column(partners, [](const Partner& p) { return p.sha256; }));
}

std::vector<PoseShard::Partner> read_shard_partners(const Group& group) {
    const std::uint64_t count = io::length_of(group, "name");
    const auto names = io::read_shaped_texts(group, "name", count);
    const auto files = io::read_shaped_texts(group, "file", count);
    const auto chains = io::read_shaped_texts(group, "chains", count);
    const auto hashes = io::read_shaped_texts(group, "sha256", count);
    std::vector<PoseShard::Partner> partners;
    for (std::size_t i = 0; i < count; ++i) {
        io::require_file_name(group.file(), "protein", names[i]);  // exports have it in theirs
        partners.push_back({names[i], files[i], chain_names(chains[i]), hashes[i]});
    }
    return partners;
}

void write_pairs(Group group, const std::vector<PoseShard::Pair>& pairs) {
    using Pair = PoseShard::Pair;
    group.write("number", column(pairs, [](const Pair& p) { return p.number; }));
    group.write("receptor", column(pairs, [](const Pair& p) { return p.receptor; }));
    group.write("ligand", column(pairs, [](const Pair& p) { return p.ligand; }));
    group.write("poses", column(pairs, [](const Pair& p) { return std::ssize(p.poses); }));
    write_points(group, "receptor_center",
                 column(pairs, [](const Pair& p) { return p.receptor_center; }));
    write_points(group, "ligand_center",
                 column(pairs, [](const Pair& p) { return p.ligand_center; }));
}

std::vector<PoseShard::Pair> read_pairs(const Group& group, const PoseShard& shard) {
    const std::uint64_t count = io::length_of(group, "number");
    const auto whole = [&](const char* name, std::int64_t least, std::int64_t last) {
        return io::read_within<std::int64_t>(group, name, {count}, least, last);
    };
    const auto numbers = whole("number", 0, most);
    const auto receptors = whole("receptor", 0, std::ssize(shard.receptors) - 1);
    const auto ligands = whole("ligand", 0, std::ssize(shard.ligands) - 1);
    const auto poses = whole("poses", 1, poses_kept);
    if (std::ranges::adjacent_find(numbers, std::ranges::greater_equal()) != numbers.end())
        group.refuse("'" + group.name() + "/number'", "it is not in ascending order");
    const auto receptor_centers = read_points(group, "receptor_center", count);
    const auto ligand_centers = read_points(group, "ligand_center", count);
    std::vector<PoseShard::Pair> pairs;
    for (std::size_t i = 0; i < count; ++i)
        pairs.push_back({numbers[i], receptors[i], ligands[i], receptor_centers[i],
                         ligand_centers[i],
                         std::vector<KeptPose>(static_cast<std::size_t>(poses[i]))});
    return pairs;
}

void write_poses(Group group, const PoseShard& shard) {
    std::vector<KeptPose> poses;
    for (const PoseShard::Pair& pair : shard.pairs)
        poses.insert(poses.end(), pair.poses.begin(), pair.poses.end());
    group.write_attribute("set", shard.set.name);
    group.write_attribute("weights",
                          std::vector<double>(shard.set.weights.begin(), shard.set.weights.end()));
    group.write_attribute("weighted_terms",
                          std::vector<std::string>(term_names.begin(), term_names.end()));
    group.write("score", column(poses, [](const KeptPose& p) { return p.score; }));
    group.write("rotation", column(poses, [](const KeptPose& p) { return p.rotation; }));
    group.write("cluster", column(poses, [](const KeptPose& p) { return p.cluster; }));
    write_points(group, "translation",
                 column(poses, [](const KeptPose& p) { return p.translation; }));
    std::vector<double> terms;
    for (const KeptPose& pose : poses)
        terms.insert(terms.end(), pose.terms.begin(), pose.terms.end());
    group.write("terms", terms, {poses.size(), term_count})
        .write_attribute("names", std::vector<std::string>(term_names.begin(), term_names.end()));
}

void read_poses(const Group& group, PoseShard& shard) {
    std::uint64_t count = 0;
    for (const PoseShard::Pair& pair : shard.pairs) count += pair.poses.size();
    shard.set.name = group.read_attribute<std::string>("set");
    std::ranges::copy(io::finite_attributes(group, "weights", term_count),
                      shard.set.weights.begin());
    const auto scores = io::read_finite(group, "score", {count});
    const auto last = static_cast<std::int32_t>(shard.rotations.size()) - 1;
    const auto rotations = io::read_within<std::int32_t>(group, "rotation", {count}, 0, last);
    const auto clusters = io::read_within<std::int32_t>(group, "cluster", {count}, 0,
                                                        std::numeric_limits<std::int32_t>::max());
    const auto translations = read_points(group, "translation", count);
    const auto terms = io::read_finite(group, "terms", {count, term_count});
    std::size_t i = 0;
    for (PoseShard::Pair& pair : shard.pairs) {
        for (KeptPose& pose : pair.poses) {
            pose = {scores[i], rotations[i], clusters[i], translations[i], {}};
            std::copy_n(terms.begin() + static_cast<std::ptrdiff_t>(i * term_count), term_count,
                        pose.terms.begin());
            ++i;
        }
        if (!std::ranges::is_sorted(pair.poses, {}, &KeptPose::score))
            group.refuse("'" + group.name() + "/score'",
                         "the poses of pair " + shard.name(pair) + " are not in ascending order");
    }
}

}  // namespace

std::string PoseShard::name(const Pair& pair) const {
    return receptors[static_cast<std::size_t>(pair.receptor)].name + between_names +
           ligands[static_cast<std::size_t>(pair.ligand)].name;
}

void write_shard(Group root, const PoseShard& shard) {
    Group screen = root.group("screen");
    screen.write_attribute("shard", shard.number);
    screen.write_attribute("content_sha256", shard.content_sha256);
    std::vector<double> quaternions;
    for (const Quaternion& q : shard.rotations)
        quaternions.insert(quaternions.end(), {q.w, q.x, q.y, q.z});
    screen.write("rotations", quaternions, {shard.rotations.size(), 4});
    write_partners(screen.group("receptors"), shard.receptors);
    write_partners(screen.group("ligands"), shard.ligands);
    write_pairs(screen.group("pairs"), shard.pairs);
    write_poses(screen.group("poses"), shard);
}

PoseShard read_shard(const Group& root) {
    const Group screen = root.open_group("screen");
    PoseShard shard;
    shard.number = io::attribute_within(screen, "shard", 0, most);
    shard.content_sha256 = screen.read_attribute<std::string>("content_sha256");
    const io::h5::Shape stored = screen.open_dataset("rotations").shape();
    shard.rotations = read_rotations(screen, "rotations", stored.empty() ? 0 : stored[0]);
    shard.receptors = read_shard_partners(screen.open_group("receptors"));
    shard.ligands = read_shard_partners(screen.open_group("ligands"));
    shard.pairs = read_pairs(screen.open_group("pairs"), shard);
    read_poses(screen.open_group("poses"), shard);
    return shard;
}

std::string shard_content(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return "";
    try {
        const io::h5::File file = io::open_result(path);
        if (file.root().read_attribute<std::string>("workload") != screen_workload) return "";
        return file.root().open_group("screen").read_attribute<std::string>("content_sha256");
    } catch (const Error&) {
        return "";  // damaged, or of another program
    }
}

}  // namespace tessera::docking
