# SPDX-License-Identifier: Apache-2.0
from spack.package import *


class Tessera(CMakePackage, CudaPackage):
    """Docking, molecular orbitals and stellar streams, cut into tiles, on the GPUs and cores of a cluster."""

    # There is no release archive yet: spack dev-build takes the source from this checkout (packaging/README.md).
    version("0.1.0")

    variant("nccl", default=False, when="+cuda", description="Move large sums between GPUs with NCCL")
    variant("parallel_hdf5", default=False, description="Use an HDF5 that was built with MPI")

    # gemmi is used without its library, and Spack has no package of it.
    resource(
        name="gemmi",
        git="https://github.com/project-gemmi/gemmi.git",
        tag="v0.5.7",
        destination="",
        placement="gemmi-source",
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("pegtl@3.2:3", type="build")
    depends_on("tomlplusplus@3:", type="build")

    depends_on("mpi@3:")
    depends_on("hdf5@1.10:~mpi", when="~parallel_hdf5")
    depends_on("hdf5@1.10:+mpi", when="+parallel_hdf5")
    depends_on("fftw-api@3")
    depends_on("fftw precision=float", when="^[virtuals=fftw-api] fftw")
    depends_on("fmt@9:")
    depends_on("zlib-api")
    depends_on("cfitsio")
    depends_on("zfp")
    depends_on("sqlite@3.35:")
    depends_on("kokkos@4.6:5+openmp+serial cxxstd=20")
    depends_on("nccl", when="+nccl")
    depends_on("cuda@12:", when="+cuda")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos+cuda+cuda_lambda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")

    generator("ninja")
    conflicts("%gcc@:11", msg="GCC 12 is the oldest that was tried")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs, such as cuda_arch=90")

    def cmake_args(self):
        args = [
            self.define_from_variant("TESSERA_ENABLE_CUDA", "cuda"),
            self.define_from_variant("TESSERA_ENABLE_NCCL", "nccl"),
            self.define_from_variant("TESSERA_ENABLE_PARALLEL_HDF5", "parallel_hdf5"),
            self.define("TESSERA_ENABLE_PYTHON", False),
            self.define("TESSERA_ENABLE_TESTS", False),
            self.define("TESSERA_FETCH", False),
            # Spack's compiler wrappers set the target processor.
            self.define("TESSERA_NATIVE", False),
            self.define("gemmi_INCLUDE_DIR", join_path(self.stage.source_path, "gemmi-source", "include")),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_program(self):
        Executable(self.prefix.bin.tessera)("--version")
