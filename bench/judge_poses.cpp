// This program compares poses of a file with a reference complex, as tessera dock --reference does.
//   bench_judge_poses RECEPTOR LIGAND REFERENCE POSES.h5 OUT.h5
//                     [--receptor-chains A,B] [--ligand-chains C]
// POSES.h5 holds `rotation` [m,4] (quaternions w x y z) and `translation` [m,3] (A). They move the
// ligand's file about the origin. The options name chains of the reference. OUT.h5 holds the
// datasets of /docking/evaluation in docs/reference/hdf5.md.
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/pose_file.hpp"
#include "core/error.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "io/hdf5/h5.hpp"
#include "io/proteins/structure.hpp"

namespace {

using namespace tessera;

std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names;
    std::istringstream words(list);
    for (std::string name; std::getline(words, name, ',');) names.push_back(name);
    return names;
}

void write(const std::string& path, const docking::Evaluation& evaluation,
           const std::vector<kernels::RigidPose>& poses) {
    std::vector<double> ligand_rmsd, interface_rmsd, fnat, dockq;
    std::vector<std::int32_t> classes, copies;
    for (const kernels::RigidPose& pose : poses) {
        const docking::PoseQuality q = evaluation(pose.rotation, {}, pose.translation);
        ligand_rmsd.push_back(q.ligand_rmsd);
        interface_rmsd.push_back(q.interface_rmsd);
        fnat.push_back(q.fnat);
        dockq.push_back(q.dockq);
        classes.push_back(docking::capri_class(q));
        copies.push_back(q.copy);
    }
    const auto file = io::h5::File::create(path);
    auto root = file.root();
    root.write("ligand_rmsd", ligand_rmsd);
    root.write("interface_rmsd", interface_rmsd);
    root.write("fnat", fnat);
    root.write("dockq", dockq);
    root.write("capri_class", classes);
    root.write("copy", copies).write_attribute("chains", evaluation.copies());
}

void run(int argc, char** argv) {
    bench::CommandLine line(argc, argv);
    std::string receptor_chains, ligand_chains;
    line.take("--receptor-chains", receptor_chains);
    line.take("--ligand-chains", ligand_chains);
    const auto& files = line.rest();
    if (files.size() != 5)
        throw Error("five files are needed", std::to_string(files.size()) + " are given",
                    "see the head of bench/judge_poses.cpp");
    const docking::Evaluation evaluation(io::read_structure(files[0]), io::read_structure(files[1]),
                                         io::read_structure(files[2]), names_in(receptor_chains),
                                         names_in(ligand_chains));
    write(files[4], evaluation, bench::read_poses(files[3]));
    std::printf("%s\n", evaluation.matched().c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc, argv);
    } catch (const Error& error) {
        std::fprintf(stderr, "bench_judge_poses: %s\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
