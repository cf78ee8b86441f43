// emucc includes this file before a source, so that it reads the source as nvcc's host compiler does.
#undef __CUDA_ARCH__
