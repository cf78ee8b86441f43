#include "bodysystem.h"
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

__constant__ float softeningSquared = 0.01f;

template <typename T> __device__ T getSofteningSquared() { return softeningSquared; }

template <typename T>
__device__ typename vec3<T>::Type bodyBodyInteraction(typename vec3<T>::Type ai, typename vec4<T>::Type bi, typename vec4<T>::Type bj)
{
    typename vec3<T>::Type r;
    // r_ij  [3 FLOPS]
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    // distSqr = dot(r_ij, r_ij) + EPS^2  [6 FLOPS]
    T distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
    distSqr += getSofteningSquared<T>();
    // invDistCube =1/distSqr^(3/2)  [4 FLOPS (2 mul, 1 sqrt, 1 inv)]
    T invDist = rsqrtf(distSqr);
    T invDistCube = invDist * invDist * invDist;
    T s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

template <typename T>
__device__ typename vec3<T>::Type computeBodyAccel(typename vec4<T>::Type bodyPos, typename vec4<T>::Type *positions, int numTiles, cg::thread_block cta)
{
    extern __shared__ unsigned char shared_[];
    typename vec4<T>::Type *sharedPos = reinterpret_cast<typename vec4<T>::Type *>(shared_);
    typename vec3<T>::Type acc = {0.0f, 0.0f, 0.0f};
    for (int tile = 0; tile < numTiles; tile++) {
        sharedPos[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
        cg::sync(cta);
        // This is the "tile_calculation" from the GPUG3 article.
#pragma unroll 128
        for (unsigned int counter = 0; counter < blockDim.x; counter++) {
            acc = bodyBodyInteraction<T>(acc, bodyPos, sharedPos[counter]);
        }
        cg::sync(cta);
    }
    return acc;
}

template <typename T>
__global__ void integrateBodies(typename vec4<T>::Type *__restrict__ newPos, typename vec4<T>::Type *__restrict__ oldPos,
                                typename vec4<T>::Type *vel, unsigned int deviceNumBodies, float deltaTime, float damping, int numTiles)
{
    cg::thread_block cta = cg::this_thread_block();
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= (int)deviceNumBodies) return;
    typename vec4<T>::Type position = oldPos[index];
    typename vec3<T>::Type accel = computeBodyAccel<T>(position, oldPos, numTiles, cta);
    typename vec4<T>::Type velocity = vel[index];
    float3 v = make_float3(velocity.x, velocity.y, velocity.z);
    v += accel * deltaTime;
    v = v * damping;
    position.x += v.x * deltaTime;
    position.y += v.y * deltaTime;
    position.z += v.z * deltaTime;
    newPos[index] = position;
    vel[index] = make_float4(v.x, v.y, v.z, velocity.w);
}

class BodySystemCuda : public BodySystem<float> {
 public:
    BodySystemCuda(int n, const float *position, const float *velocity) : n_(n)
    {
        const size_t bytes = n * sizeof(float4);
        for (float4 *&p : pos_) cudaMalloc((void **)&p, bytes);
        cudaMalloc((void **)&vel_, bytes);
        cudaMemcpy(pos_[0], position, bytes, cudaMemcpyHostToDevice);
        cudaMemcpy(vel_, velocity, bytes, cudaMemcpyHostToDevice);
    }
    ~BodySystemCuda() override
    {
        for (float4 *p : pos_) cudaFree(p);
        cudaFree(vel_);
    }
    void update(float deltaTime) override
    {
        const int blockSize = 128;
        const int numBlocks = (n_ + blockSize - 1) / blockSize;
        const int sharedMemSize = blockSize * 4 * sizeof(float);  // 4 floats for pos
        integrateBodies<float><<<numBlocks, blockSize, sharedMemSize>>>(pos_[1 - current_], pos_[current_], vel_, n_, deltaTime, 0.995f, numBlocks);
        if (cudaError_t e = cudaGetLastError()) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); }
        current_ = 1 - current_;
    }
    void getPosition(float *out) override { cudaMemcpy(out, pos_[current_], n_ * sizeof(float4), cudaMemcpyDeviceToHost); }

 private:
    int n_, current_ = 0;
    float4 *pos_[2], *vel_;
};

BodySystem<float> *createCuda(int n, const float *position, const float *velocity) { return new BodySystemCuda(n, position, velocity); }
