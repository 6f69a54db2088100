#!/usr/bin/env python3
"""packaging/: version, dependencies, sources and options of the recipes are those of the build system. The recipe for
Spack is run with a stand-in for Spack's vocabulary, which notes what it declares.
Usage: test_recipes.py"""

import functools
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CMAKE = "".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))])
CONDA = (ROOT / "packaging/conda/recipe.yaml").read_text()
BUILD = (ROOT / "packaging/conda/build.sh").read_text()
SPACK = ROOT / "packaging/spack/packages/tessera/package.py"

# What CMake looks for -> its package in Spack and in conda. None: not needed there, or a part of the compiler.
# "source": among the sources of the recipe.
PACKAGES = {"CUDAToolkit": ("cuda", None), "FFTW3f": ("fftw", "fftw"), "HDF5": ("hdf5", "hdf5"),
            "Kokkos": ("kokkos", "source"), "MPI": ("mpi", "openmpi"), "NCCL": ("nccl", None),
            "OpenMP": (None, None), "Threads": (None, None), "ZLIB": ("zlib-api", "zlib"), "fmt": ("fmt", "fmt"),
            "nlohmann_json": ("nlohmann-json", "nlohmann_json"), "cli11": ("cli11", "cli11"),
            "tomlplusplus": ("tomlplusplus", "tomlplusplus"), "pegtl": ("pegtl", "source"),
            "gemmi": ("source", "source"), "CFITSIO": ("cfitsio", "cfitsio"), "SQLite3": ("sqlite", "sqlite"),
            "ZFP": ("zfp", "zfp"),
            "Git": (None, None), "GTest": (None, None),
            "benchmark": (None, None), "BOINC": (None, None)}


def needed():
    """Library -> oldest version ("" if any will do), as CMake says."""
    found = {name: version for name, version in re.findall(r"find_package\((\w+)(?: (\d+(?:\.\d+)*))?", CMAKE)}
    found.update({name: "" for name in re.findall(r"^tessera_header_library\((\w+)", CMAKE, re.MULTILINE)})
    return found


class Recorder:
    """Stands in for spack.package: the names that the recipe uses, and a note of each call."""

    def __init__(self):
        self.calls = []
        names = ("version", "variant", "resource", "depends_on", "generator", "conflicts")
        self.module = types.ModuleType("spack.package")
        for name in names:
            setattr(self.module, name, functools.partial(self.note, name))
        self.module.run_after = lambda *_: lambda function: function
        self.module.on_package_attributes = lambda **_: lambda function: function
        self.module.CMakePackage = type("CMakePackage", (), {})
        self.module.CudaPackage = type("CudaPackage", (), {"cuda_arch_values": ("80", "90")})
        self.module.join_path = lambda *parts: "/".join(parts)

    def note(self, called, /, *words, **more):
        self.calls.append((called, words, more))

    def run(self, path):
        sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": self.module})
        exec(compile(path.read_text(), path, "exec"), {})
        return self

    def of(self, name):
        return [(words, more) for called, words, more in self.calls if called == name]


class Recipes(unittest.TestCase):
    def setUp(self):
        self.version = re.search(r"project\(\s*Tessera\s+VERSION ([\d.]+)", CMAKE)[1]
        self.spack = Recorder().run(SPACK)
        self.conda = re.search(r"^  host:\n((?:    - .*\n)+)", CONDA, re.MULTILINE)[1]

    def test_versions(self):
        self.assertEqual(re.search(r'version: "(.*)"', CONDA)[1], self.version)
        self.assertEqual(self.spack.of("version")[0][0][0], self.version)
        self.assertIn(f"\nversion: {self.version}\n", (ROOT / "CITATION.cff").read_text())

    def test_every_library_has_a_name_in_the_recipes(self):
        self.assertEqual(set(needed()), set(PACKAGES))

    def test_spack_needs_what_cmake_looks_for(self):
        specs = [words[0] for words, _ in self.spack.of("depends_on")]
        for library, version in {**needed(), "cmake": "3.25"}.items():
            name = PACKAGES.get(library, (library, None))[0]
            if name in (None, "source"):
                continue
            asked = [spec for spec in specs if re.match(re.escape(name) + r"(?![\w-])", spec)]
            self.assertTrue(asked, f"{library} is not a dependency")
            self.assertTrue(not version or any(f"@{version}" in spec for spec in asked), f"{library} {version}: {asked}")

    def test_conda_needs_what_cmake_looks_for(self):
        for library, version in needed().items():
            name = PACKAGES[library][1]
            if name == "source":
                self.assertRegex(CONDA, rf"(?i)- (git|url): .*/{library}")
            elif name:
                line = re.search(rf"^    - {re.escape(name)}\b.*$", self.conda, re.MULTILINE)
                self.assertTrue(line, f"{library} is not among the host's packages")
                # Every Open MPI that conda has speaks MPI 3.
                self.assertTrue(not version or name == "openmpi" or f">={version}" in line[0], line[0])

    def test_sources(self):
        for key in ("URL", "SHA256"):
            self.assertIn(re.search(rf"set\(TESSERA_KOKKOS_{key}\s+(\S+?)\)", CMAKE)[1], CONDA)
        tag = re.search(r"gemmi.git\n +tag: (\S+)", CONDA)[1]
        self.assertEqual([more["tag"] for _, more in self.spack.of("resource")], [tag])

    def test_options_exist(self):
        known = set(re.findall(r"(?:option|set)\((TESSERA_\w+)", CMAKE))
        for text in (SPACK.read_text(), BUILD):
            self.assertEqual(set(re.findall(r"TESSERA_\w+", text)) - known, set())
        include = {f"{name}_INCLUDE_DIR" for name in needed()}
        self.assertLessEqual(set(re.findall(r"(?:-D|\b)([a-z]\w*_INCLUDE_DIR)", SPACK.read_text() + BUILD)), include)


if __name__ == "__main__":
    unittest.main()
