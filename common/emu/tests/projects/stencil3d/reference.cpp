#include "reference.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

bool fdtdReference(float *output, const float *input, const float *coeff, int dimx, int dimy, int dimz, int timesteps)
{
    const int ox = dimx + 2 * RADIUS, oy = dimy + 2 * RADIUS, oz = dimz + 2 * RADIUS;
    const size_t volume = (size_t)ox * oy * oz;
    std::vector<float> buffers[2] = {std::vector<float>(input, input + volume), std::vector<float>(input, input + volume)};
    for (int it = 0; it < timesteps; it++) {
        const float *src = buffers[it % 2].data();
        float *dst = buffers[1 - it % 2].data();
        for (int z = RADIUS; z < oz - RADIUS; z++)
            for (int y = RADIUS; y < oy - RADIUS; y++)
                for (int x = RADIUS; x < ox - RADIUS; x++) {
                    const size_t i = ((size_t)z * oy + y) * ox + x;
                    float value = src[i] * coeff[0];
                    for (int r = 1; r <= RADIUS; r++)
                        value += coeff[r] * (src[i - r] + src[i + r] + src[i - (size_t)r * ox] + src[i + (size_t)r * ox] +
                                             src[i - (size_t)r * ox * oy] + src[i + (size_t)r * ox * oy]);
                    dst[i] = value;
                }
    }
    memcpy(output, buffers[timesteps % 2].data(), volume * sizeof(float));
    return true;
}

bool compareData(const float *output, const float *reference, int dimx, int dimy, int dimz, float tolerance)
{
    const size_t volume = (size_t)(dimx + 2 * RADIUS) * (dimy + 2 * RADIUS) * (dimz + 2 * RADIUS);
    for (size_t i = 0; i < volume; i++) {
        const float difference = std::fabs(reference[i] - output[i]);
        if (difference > tolerance * std::fmax(1.0f, std::fabs(reference[i]))) {
            printf("Data error at point %zu\t%f instead of %f\n", i, output[i], reference[i]);
            return false;
        }
    }
    return true;
}
