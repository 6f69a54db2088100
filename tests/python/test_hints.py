"""What a user's editor and type checker see of the package: every public call has type hints for all that it takes and
returns and a docstring, and the names for checkers are those that the package gives.
Usage: test_hints.py PATH/OF/tessera"""

import ast
import importlib
import inspect
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import script_tests  # noqa: E402

script_tests.need("numpy", "h5py")

import tessera  # noqa: E402

PACKAGE = script_tests.ROOT / "python/tessera"


def public_calls():
    """(name, function) of all public functions and methods."""
    for name in tessera.__all__:
        value = getattr(tessera, name)
        if not inspect.isclass(value):
            yield name, value
            continue
        for kind in value.__mro__:
            for member, function in vars(kind).items():
                if kind.__module__.startswith("tessera.") and (not member.startswith("_") or member == "__call__"):
                    function = function.fget if isinstance(function, property) else function
                    if inspect.isfunction(function):
                        yield f"{name}.{member}", function


class Hints(unittest.TestCase):
    def test_every_public_call(self):
        calls = list(public_calls())
        self.assertGreater(len(calls), 60)
        for name, function in calls:
            with self.subTest(name):
                self.assertTrue(inspect.getdoc(function), "no docstring")
                hinted = function.__annotations__
                self.assertIn("return", hinted)
                missing = [one for one in inspect.signature(function).parameters if one not in (*hinted, "self")]
                self.assertEqual(missing, [], "no type hint")

    def test_a_with_block_keeps_the_type(self):
        for name in ("Result", "ResultFolder"):
            module = importlib.import_module("tessera.result_file" if name == "Result" else "tessera.result_folders")
            self.assertEqual(getattr(module, name).__enter__.__annotations__, {"self": "Kind", "return": "Kind"})

    def test_names_for_checkers(self):
        """Checkers do not run __getattr__, so __init__.py imports the same names for them."""
        self.assertTrue((PACKAGE / "py.typed").exists())
        tree = ast.parse((PACKAGE / "__init__.py").read_text())
        (block,) = [node for node in tree.body if isinstance(node, ast.If)]
        shown = {one.asname or one.name: (node.module, one.name) for node in block.body for one in node.names}
        self.assertEqual(shown, tessera._HOMES)
        self.assertEqual(sorted(tessera.__all__), sorted([*shown, "Error"]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
