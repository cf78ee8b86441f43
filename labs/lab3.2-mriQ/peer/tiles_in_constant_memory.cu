// tiles_in_constant_memory.cu: MRI-Q as in the public CUDA versions, for comparison.
//
// Those versions keep the samples in constant memory, 1024 for each launch; they have one thread for each
// voxel, 256 a block; they keep place and sums in registers, and use __cosf and __sinf of the unreduced
// angle. This program differs from them in two ways. First, they compute two samples in a round, and were
// written when a multiprocessor waited less for its constant cache: with two samples this program takes nine
// times as long on an H200, so it computes 16, the best factor there. Second, it is right for odd numbers of
// samples (it computes the remaining samples after the last whole round, not at the beginning of every tile)
// and for any number of voxels. It takes the options that `grader table lab3.2 --peer` gives, and the options
// of the lab's program that the handout uses.
#include <lab/args.hpp>
#include <lab/check.hpp>
#include <lab/gpu_timer.hpp>
#include <lab/timer.hpp>

#include "mri.hpp"

namespace {

constexpr int tile_size = 1024;
constexpr int block = 256;
constexpr float two_pi = 6.2831853071795864769252867665590058f;

struct alignas(16) Sample {
  float kx, ky, kz, phiMag;  // kx, ky, kz already times 2π: radians per unit of length
};
__constant__ Sample tile[tile_size];

__global__ void addTile(float* Qr, float* Qi, const float* x, const float* y, const float* z, int numX,
                        int count) {
  const int voxel = blockIdx.x * block + threadIdx.x;
  if (voxel >= numX) return;
  const float my_x = x[voxel], my_y = y[voxel], my_z = z[voxel];
  float sum_r = Qr[voxel], sum_i = Qi[voxel];
  const auto add = [&](int k) {
    const float angle = tile[k].kx * my_x + tile[k].ky * my_y + tile[k].kz * my_z;
    sum_r += tile[k].phiMag * __cosf(angle);
    sum_i += tile[k].phiMag * __sinf(angle);
  };
#pragma unroll 16
  for (int k = 0; k < count; ++k) add(k);
  Qr[voxel] = sum_r;
  Qi[voxel] = sum_i;
}

// The host computes phiMag here: for 147,258 samples this takes negligible time.
std::vector<Sample> packed(const lab::Scan& scan, int numK) {
  std::vector<Sample> samples;
  for (int k = 0; k < numK; ++k)
    samples.push_back({two_pi * scan.kx[k], two_pi * scan.ky[k], two_pi * scan.kz[k],
                       scan.phiR[k] * scan.phiR[k] + scan.phiI[k] * scan.phiI[k]});
  return samples;
}

float* toDevice(const std::vector<float>& from) {
  float* to = nullptr;
  CUDA_CHECK(cudaMalloc(&to, sizeof(float) * from.size()));
  CUDA_CHECK(cudaMemcpy(to, from.data(), sizeof(float) * from.size(), cudaMemcpyHostToDevice));
  return to;
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("tiles_in_constant_memory", "Q of an MRI scan, with the samples in constant memory");
  args.argument("samples", "use the first samples only; else all", "");
  args.flag("synchronise", "accepted; this program always waits");
  args.option("scan", "SHAPE", "without -i: make up a scan of this shape", "64^3x2048");
  args.option("version", "V", "accepted, and of no effect", "");
  args.letter('S', "synchronise").letter('i', "input").letter('o', "output");
  args.reads({"scan.bin"}).writes("Q.bin").parse(argc, argv);
  lab::ScanShape shape;
  if (args.inputs().empty() && !lab::parse_shape(args.text("scan"), shape))
    args.fail("--scan has no known shape");
  lab::Random random(args.seed());
  const lab::Scan scan =
      args.inputs().empty() ? lab::draw_scan(random, shape) : lab::read_scan(args.inputs()[0]);
  const auto all = static_cast<std::int64_t>(scan.samples());
  const int numK = static_cast<int>(
      args.has("samples") ? args.integer("samples", 0, all, "as many as the scan has") : all);
  const int numX = static_cast<int>(scan.voxels());

  const std::vector<Sample> samples = packed(scan, numK);
  float* const x = toDevice(scan.x);
  float* const y = toDevice(scan.y);
  float* const z = toDevice(scan.z);
  lab::Q q;
  q.r.assign(scan.voxels(), 0);
  q.i = q.r;
  float* const Qr = toDevice(q.r);  // zeros
  float* const Qi = toDevice(q.i);
  lab::warm_up(addTile);
  lab::GpuTimer timer;
  timer.start();
  for (int first = 0; first < numK; first += tile_size) {
    const int count = numK - first < tile_size ? numK - first : tile_size;
    CUDA_CHECK(cudaMemcpyToSymbol(tile, samples.data() + first, sizeof(Sample) * count));
    addTile<<<(numX + block - 1) / block, block>>>(Qr, Qi, x, y, z, numX, count);
    CUDA_CHECK_LAUNCH();
  }
  timer.stop();
  lab::print_time("GPU", timer.ms(), "kernel");
  CUDA_CHECK(cudaMemcpy(q.r.data(), Qr, sizeof(float) * numX, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(q.i.data(), Qi, sizeof(float) * numX, cudaMemcpyDeviceToHost));
  for (float* p : {x, y, z, Qr, Qi}) CUDA_CHECK(cudaFree(p));
  if (!args.output().empty()) {
    lab::write_q(args.output(), q);
    return 0;
  }
  double worst = 0;
  const lab::Q right =
      lab::right_q(scan, static_cast<std::size_t>(numK), lab::sample_voxels(random, scan, 512));
  const bool passed = lab::count_wrong(q, right, worst) == 0;
  std::printf("Largest error: %.1e of the largest value\nCheck ok? %s\n", worst,
              passed ? "Passed." : "Failed.");
  return passed ? 0 : 1;
}
