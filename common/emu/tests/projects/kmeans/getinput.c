#include "kmeans.h"

static unsigned long state = 88172645463325252UL;
static float next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (float)(state >> 40) / 16777216.0f;
}

void get_input(float *features, int npoints, int nclusters)
{
    int i, d;
    for (i = 0; i < npoints; i++) {
        int c = i % nclusters;
        for (d = 0; d < DIMS; d++)
            features[i * DIMS + d] = (float)(d ? c * 3 % nclusters : c) * 10.0f + next() * 4.0f;
    }
}
