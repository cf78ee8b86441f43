// mriQ.cu: the host's side of Q, and its files.
//
//        host                              device
//     scan ────── Copy ──────────────────▶ kx … phiI (numK), x y z (numX)
//                                            │ GPU: computePhiMag, computeQ (computeQ.cu)
//                                            ▼
//     Q    ◀───── Copy ─────────────────── Qr, Qi (numX)
//
// At any moment one of four timers runs: IO (files), GPU (kernels), Copy, Compute (all other work of the
// host). A launch returns at once, and then the timer of the kernels stops; with -S the host waits for the
// device before it changes the timer.
//
// Run it:  grader lab3.2                           builds it, grades it, explains what is wrong
//          mri-q -S -i FILE -o FILE [samples]      a scan's file, and where to write Q
//          mri-q -S --scan 64^3x2048               a generated scan; the program checks itself
#include <lab/args.hpp>
#include <lab/check.hpp>
#include <lab/gpu_timer.hpp>
#include <lab/timer.hpp>
#include <lab/todo.hpp>

#include "computeQ.h"
#include "mriQ.h"

#ifdef __CUEMU__  // a CPU takes a second for a GPU's tenth of a millisecond
constexpr const char* DEFAULT_SCAN = "16^3x1000";
#else
constexpr const char* DEFAULT_SCAN = "64^3x2048";
#endif

namespace {

// The four timers; exactly one of them runs.
class Phases {
 public:
  enum Phase { io, gpu, copy, compute };

  explicit Phases(bool synchronise) : synchronise_(synchronise) { timers_[compute].start(); }

  void enter(Phase next) {
    if (synchronise_) CUDA_CHECK(cudaDeviceSynchronize());
    timers_[now_].stop();
    timers_[next].start();
    now_ = next;
  }

  void print() {
    enter(compute);
    timers_[compute].stop();
    lab::print_time("IO", timers_[io].ms());
    lab::print_time("GPU", timers_[gpu].ms(), "kernel");
    lab::print_time("Copy", timers_[copy].ms());
    lab::print_time("Compute", timers_[compute].ms());
  }

 private:
  lab::Timer timers_[4];
  Phase now_ = compute;
  bool synchronise_;
};

// A copy on the device of the first `count` floats; its memory is freed by cudaFree.
float* toDevice(const std::vector<float>& from, int count) {
  float* to = nullptr;
  CUDA_CHECK(cudaMalloc(&to, sizeof(float) * count));
  CUDA_CHECK(cudaMemcpy(to, from.data(), sizeof(float) * count, cudaMemcpyHostToDevice));
  return to;
}

// Q of all voxels, from the first numK samples.
lab::Q runOnDevice(const lab::Scan& scan, int numK, const std::string& version, Phases& phases) {
  phases.enter(Phases::copy);
  DeviceScan d;
  d.numK = numK;
  d.numX = static_cast<int>(scan.voxels());
  d.kx = toDevice(scan.kx, numK);
  d.ky = toDevice(scan.ky, numK);
  d.kz = toDevice(scan.kz, numK);
  d.phiR = toDevice(scan.phiR, numK);
  d.phiI = toDevice(scan.phiI, numK);
  d.x = toDevice(scan.x, d.numX);
  d.y = toDevice(scan.y, d.numX);
  d.z = toDevice(scan.z, d.numX);
  CUDA_CHECK(cudaMalloc(&d.samples, sizeof(KSample) * numK));
  CUDA_CHECK(cudaMalloc(&d.Qr, sizeof(float) * d.numX));
  CUDA_CHECK(cudaMalloc(&d.Qi, sizeof(float) * d.numX));

  phases.enter(Phases::gpu);
  computePhiMag(d);
  if (version == "lab") {
    computeQ(d);
  } else {
    computeQExpert(d, version == "hopper"   ? OnLines::hopper
                      : version == "tensor" ? OnLines::tensor
                                            : OnLines::expert);
  }

  phases.enter(Phases::copy);
  // NaN in every element: an element that is never copied back can't pass for a result.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  lab::Q q{lab::host_array<float>(scan.voxels(), "Qr", nan),
           lab::host_array<float>(scan.voxels(), "Qi", nan)};
  CUDA_CHECK(cudaMemcpy(q.r.data(), d.Qr, sizeof(float) * d.numX, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(q.i.data(), d.Qi, sizeof(float) * d.numX, cudaMemcpyDeviceToHost));
  for (float* p : {d.kx, d.ky, d.kz, d.phiR, d.phiI, d.x, d.y, d.z, d.Qr, d.Qi}) CUDA_CHECK(cudaFree(p));
  CUDA_CHECK(cudaFree(d.samples));
  phases.enter(Phases::compute);
  return q;
}

// The scan of -i, or a generated scan.
lab::Scan getScan(const lab::Args& args) {
  if (!args.inputs().empty()) return lab::read_scan(args.inputs()[0]);
  lab::ScanShape shape;
  if (!lab::parse_shape(args.text("scan"), shape))
    args.fail(
        "--scan must be like 64^3x2048 (a grid of up to 512^3 voxels, and samples) or 1001x500 (voxels at "
        "random places, and samples), but is '" +
        args.text("scan") + "'");
  lab::Random random(args.seed());
  return lab::draw_scan(random, shape);
}

// How many samples to use: all, unless the last argument is smaller.
int samplesToUse(const lab::Args& args, const lab::Scan& scan) {
  const auto all = static_cast<std::int64_t>(scan.samples());
  if (!args.has("samples")) return static_cast<int>(all);
  return static_cast<int>(args.integer("samples", 0, all, "as many as the scan has"));
}

// Prints the reasons for the lab's own combination; a trial and the versions of level 3 need none.
int finish(bool passed, bool beyond) {
  const int code = lab::finish(passed);
  if (code == 0 && !is_trial && !beyond) std::printf("Why this combination:\n%s\n", explanation());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("mri-q", "Q of an MRI scan: a sum of cosines and sines for each voxel");
  args.argument("samples", "use the first samples only; else all", "");
  args.flag("synchronise", "wait for the device before each timer stops");
  args.option("scan", "SHAPE", "without -i: make up a scan of this shape", DEFAULT_SCAN);
  args.option("compare", "FILE", "compare with this result instead of the CPU's", "");
  args.option("version", "V", "lab; expert, tensor or hopper: the kernels of level 3", "lab");
  args.letter('S', "synchronise").letter('i', "input").letter('o', "output");
  args.reads({"scan.bin"}).writes("Q.bin").parse(argc, argv);
  const std::string version = args.text("version");
  if (version != "lab" && version != "expert" && version != "tensor" && version != "hopper")
    args.fail("--version must be lab, expert, tensor or hopper, but is '" + version + "'");
  const bool beyond = version != "lab";
  CUDA_CHECK(cudaFree(nullptr));  // CUDA's start-up is in none of the four times

  Phases phases(args.has("synchronise"));
  phases.enter(Phases::io);
  const lab::Scan scan = getScan(args);
  phases.enter(Phases::compute);
  const int numK = samplesToUse(args, scan);
  std::printf("%zu pixels in output; %zu samples in trajectory; using %d samples\n", scan.voxels(),
              scan.samples(), numK);

  const lab::Q q = runOnDevice(scan, numK, version, phases);

  phases.enter(Phases::io);
  if (!args.output().empty()) lab::write_q(args.output(), q);
  phases.print();
  if (!args.output().empty() && !args.has("compare")) return finish(true, beyond);  // the grader compares

  const bool passed = checkQ(q, scan, numK, args.text("compare"));
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return finish(passed, beyond);
}
