#pragma once
#include <vector_types.h>
#include <cmath>
// operators that CUDA's vector types lack
inline __host__ __device__ float3 operator*(float3 a, float s) { return float3{a.x * s, a.y * s, a.z * s}; }
inline __host__ __device__ float3 &operator+=(float3 &a, const float3 &b)
{
    a.x += b.x; a.y += b.y; a.z += b.z;
    return a;
}
template <typename T> struct vec3 { typedef float Type; };
template <> struct vec3<float> { typedef float3 Type; };
template <> struct vec3<double> { typedef double3 Type; };
template <typename T> struct vec4 { typedef float Type; };
template <> struct vec4<float> { typedef float4 Type; };
