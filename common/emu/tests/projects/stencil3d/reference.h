#ifndef REFERENCE_H
#define REFERENCE_H
#define K_BLOCK_X 32
#define K_BLOCK_Y 8
bool fdtdReference(float *output, const float *input, const float *coeff, int dimx, int dimy, int dimz, int timesteps);
bool compareData(const float *output, const float *reference, int dimx, int dimy, int dimz, float tolerance);
#endif
