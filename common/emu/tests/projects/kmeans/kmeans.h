#ifndef _H_KMEANS
#define _H_KMEANS
#include <stddef.h>
#define DIMS 2
#ifdef __cplusplus
extern "C" {
#endif
void  get_input(float *features, int npoints, int nclusters);
void  allocate_memory(int npoints, int nclusters, const float *features);
int   kmeans_step(int npoints, int nclusters, float *clusters, int *membership, int *sizes);
void  deallocate_memory(void);
#ifdef __cplusplus
}
#endif
#endif
