#include "bodysystem.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

class BodySystemCpu : public BodySystem<float> {
 public:
  BodySystemCpu(int n, const float* position, const float* velocity)
      : n_(n), pos_(position, position + 4 * n), vel_(velocity, velocity + 4 * n) {}
  void update(float dt) override {
    std::vector<float> force(3 * n_, 0.f);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const float dx = pos_[4 * j] - pos_[4 * i], dy = pos_[4 * j + 1] - pos_[4 * i + 1], dz = pos_[4 * j + 2] - pos_[4 * i + 2];
        const float inv = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
        const float s = pos_[4 * j + 3] * inv * inv * inv;
        force[3 * i] += dx * s;
        force[3 * i + 1] += dy * s;
        force[3 * i + 2] += dz * s;
      }
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < 3; ++k) {
        vel_[4 * i + k] = (vel_[4 * i + k] + force[3 * i + k] * dt) * 0.995f;
        pos_[4 * i + k] += vel_[4 * i + k] * dt;
      }
  }
  void getPosition(float* out) override { std::memcpy(out, pos_.data(), pos_.size() * sizeof(float)); }

 private:
  int n_;
  std::vector<float> pos_, vel_;
};

int main(int argc, char** argv) {
  int bodies = 4096, steps = 10;
  for (int i = 1; i < argc; ++i) {
    if (!strncmp(argv[i], "--bodies=", 9)) bodies = atoi(argv[i] + 9);
    if (!strncmp(argv[i], "--steps=", 8)) steps = atoi(argv[i] + 8);
  }
  std::vector<float> position(4 * bodies), velocity(4 * bodies);
  unsigned seed = 12345;
  auto random = [&] { return static_cast<float>((seed = seed * 1103515245u + 12345u) >> 8) / (1 << 24) - 0.5f; };
  for (int i = 0; i < 4 * bodies; ++i) {
    position[i] = i % 4 == 3 ? 1.f / bodies : random();
    velocity[i] = i % 4 == 3 ? 1.f : 0.1f * random();
  }
  std::unique_ptr<BodySystem<float>> gpu(createCuda(bodies, position.data(), velocity.data()));
  BodySystemCpu cpu(bodies, position.data(), velocity.data());
  for (int i = 0; i < steps; ++i) {
    gpu->update(0.016f);
    cpu.update(0.016f);
  }
  std::vector<float> a(4 * bodies), b(4 * bodies);
  gpu->getPosition(a.data());
  cpu.getPosition(b.data());
  double worst = 0;
  for (int i = 0; i < 4 * bodies; ++i) worst = std::fmax(worst, std::fabs(a[i] - b[i]));
  printf("%d bodies, total time for %d steps not measured\n%s\n", bodies, steps, worst < 5e-4 ? "PASS" : "FAIL");
  return worst < 5e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
