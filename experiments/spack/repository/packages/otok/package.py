# Spack's recipe for otok, from the repository in which it lies: see README.md.
import pathlib

from spack.package import *


class Otok(CMakePackage, CudaPackage):
    """Erosion of terrains and growth of coral reefs on CPU and GPU, with the same bits on both."""

    git = "file://" + str(pathlib.Path(__file__).resolve().parents[5])
    homepage = git

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="A run on several processes and nodes")
    variant("gdal", default=False, description="GeoTIFF and other rasters")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.25:", type="build")
    depends_on("hdf5@1.10:+hl")
    depends_on("libpng")
    depends_on("libyaml")
    depends_on("libdeflate")
    depends_on("random123", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5~mpi", when="~mpi")
    depends_on("gdal", when="+gdal")
    depends_on("cuda@12:", when="+cuda")

    requires("target=x86_64_v3:", when="target=x86_64:", msg="otok needs processors whose fma is one instruction")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPU: cuda_arch=80 (A100) or 90 (H100, H200)")

    def cmake_args(self):
        args = [
            self.define_from_variant("OTOK_CUDA", "cuda"),
            self.define_from_variant("OTOK_MPI", "mpi"),
            self.define_from_variant("OTOK_GDAL", "gdal"),
            self.define("OTOK_VIZ", False),
            self.define("OTOK_TESTS", self.run_tests),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", ";".join(self.spec.variants["cuda_arch"].value)))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_version(self):
        Executable(self.prefix.bin.otok)("--version")
