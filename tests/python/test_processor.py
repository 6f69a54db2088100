"""The build that the Python package uses: the best level that the processor has, the one that TESSERA_CPU names, or one
line that says why there is none. Usage: test_processor.py PATH/OF/tessera"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from tessera import processor
from tessera.errors import Error

sys.argv[1:] = []
PACKAGE = pathlib.Path(processor.__file__).parent
# As Linux describes a Xeon with AVX-512, a Ryzen of 2020, and an Opteron.
NEW = frozenset("sse2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave avx512f avx512bw avx512cd avx512dq "
                "avx512vl".split())
MIDDLE = frozenset(name for name in NEW if not name.startswith("avx512"))
OLD = frozenset({"sse2", "ssse3", "sse4a"})


class Choice(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def chosen(self, able, wanted="", *, levels=("x86-64-v4", "x86-64-v3", "x86-64")):
        for name in levels:
            (self.folder / name).mkdir(exist_ok=True)
        return processor.best_folder(self.folder, able, wanted).name

    def expect(self, words, able, wanted=""):
        with self.assertRaises(Error) as caught:
            processor.best_folder(self.folder, able, wanted)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_the_best_level_that_the_processor_has(self):
        self.assertEqual([self.chosen(able) for able in (NEW, MIDDLE, OLD)], ["x86-64-v4", "x86-64-v3", "x86-64"])
        self.assertEqual(self.chosen(NEW - {"avx512vl"}), "x86-64-v3")
        self.assertEqual(self.chosen(MIDDLE - {"fma"}), "x86-64")

    def test_only_what_the_package_holds(self):
        self.assertEqual(self.chosen(NEW, levels=["x86-64-v3"]), "x86-64-v3")
        self.expect("too old for the package (it lacks abm avx avx2", OLD)

    def test_a_package_with_one_build(self):
        self.assertIsNone(processor.best_folder(self.folder / "missing", OLD))

    def test_a_named_level(self):
        self.assertEqual(self.chosen(NEW, "x86-64"), "x86-64")
        self.expect("TESSERA_CPU=x86-64-v9 is no level", NEW, "x86-64-v9")
        self.expect("TESSERA_CPU=x86-64-v4 does not run here", MIDDLE, "x86-64-v4")
        (self.folder / "x86-64").rmdir()
        self.expect("TESSERA_CPU=x86-64 is not in this package (it holds x86-64-v4, x86-64-v3)", NEW, "x86-64")

    def test_what_linux_says(self):
        (self.folder / "cpuinfo").write_text("processor\t: 0\nflags\t\t: fpu avx2 fma\n\nprocessor\t: 1\nflags\t: fpu\n")
        self.assertEqual(processor.features(self.folder / "cpuinfo"), {"fpu", "avx2", "fma"})
        self.assertEqual(processor.features(self.folder / "missing"), frozenset())


class Installed(unittest.TestCase):
    """A copy of the package, laid out as in a wheel."""

    def python(self, folder, words, **environment):
        return subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, cwd=folder,
                              env={**os.environ, "PYTHONPATH": str(folder), **environment})

    def test_module_and_program_come_from_the_folder_of_the_level(self):
        modules = list(PACKAGE.glob("_kernels*.so"))
        if not modules:
            self.skipTest("the module of the package is not built")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            shutil.copytree(PACKAGE, folder / "tessera", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
            level = folder / "tessera/libexec/tessera/x86-64"
            level.mkdir(parents=True)
            (level / modules[0].name).symlink_to(modules[0])
            (level / "tessera").write_text("#!/bin/sh\necho \"$0 $*\"\n")
            (level / "tessera").chmod(0o755)
            told = self.python(folder, "from tessera.device import kernels; print(kernels().__file__)", TESSERA_CPU="")
            self.assertEqual((told.stdout.strip(), told.stderr), (str(level / modules[0].name), ""))
            told = self.python(folder, "import sys; sys.argv[1:] = ['two words']; import tessera.__main__")
            self.assertEqual(told.stdout.strip(), f"{level}/tessera two words", told.stderr)
            told = self.python(folder, "import tessera.__main__", TESSERA_CPU="x86-64-v4")
            self.assertEqual((told.returncode, told.stderr.splitlines()[0][:51]),
                             (1, "tessera: TESSERA_CPU=x86-64-v4 is not in this packa"))


if __name__ == "__main__":
    unittest.main()
