// matrixmul_experts.h: how the host calls the experts' kernels (level 3). They do not use the parameters of
// matrixMul, so other values of these do not compile them again.
#ifndef MATRIXMUL_EXPERTS_H
#define MATRIXMUL_EXPERTS_H
#include <cstddef>

// P = M · N by the experts' kernels (level 3), which may still be running when these functions return. With
// width = 0 the kernel is only loaded.
//   P, M, N     (width, width) row-major, device memory; width is a multiple of expert_step
//   workspace   tensorWorkspace(width) bytes of device memory
constexpr int expert_step = 256;
void matrixMulFp32(float* P, const float* M, const float* N, int width);
void matrixMulTensor(float* P, const float* M, const float* N, int width, void* workspace);
void matrixMulHopper(float* P, const float* M, const float* N, int width, void* workspace);
std::size_t tensorWorkspace(int width);

#endif
