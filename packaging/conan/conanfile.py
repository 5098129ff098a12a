"""The recipe: conan create packaging/conan

Needs no other recipe.  xxhash.h, which is compiled in (docs/decisions/0002-xxhash-compiled-in.md),
comes from the system package, and only while the library is built.
"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.system.package_manager import Apt, Brew, Dnf

required_conan_version = ">=2.0"


class Bloomery(ConanFile):
    name = "bloomery"
    description = "Approximate-membership filters: Bloom, blocked and others"
    license = "Apache-2.0"
    topics = ("bloom-filter", "probabilistic", "membership")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "CMakeLists.txt"))
        self.version = re.search(r"project\(bloomery VERSION ([\d.]+)", text)[1]

    def export_sources(self):
        for part in ["CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "adapters/c/*",
                     "tools/*.in"]:
            copy(self, part, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["BLOOMERY_TOOL"] = False
        toolchain.cache_variables["BLOOMERY_INSTALL"] = True
        toolchain.generate()

    def build(self):
        # Looked for, and installed where tools.system.package_manager:mode is "install".
        Apt(self).install(["libxxhash-dev"], check=True)
        Dnf(self).install(["xxhash-devel"], check=True)
        Brew(self).install(["xxhash"], check=True)
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in [("lib", "cmake"), ("lib", "pkgconfig"), ("share",)]:
            rmdir(self, os.path.join(self.package_folder, *folder))  # Conan writes its own

    def package_info(self):
        cpp = self.cpp_info.components["core"]
        cpp.set_property("cmake_target_name", "bloomery::bloomery")
        cpp.set_property("pkg_config_name", "bloomery")
        cpp.libs = ["bloomery"]
        c = self.cpp_info.components["c"]
        c.set_property("cmake_target_name", "bloomery::c")
        c.set_property("pkg_config_name", "bloomery_c")
        c.libs = ["bloomery_c"]
        if not self.options.shared:
            c.requires = ["core"]
        if self.settings.os == "Linux":
            cpp.system_libs = ["pthread", "m"]
