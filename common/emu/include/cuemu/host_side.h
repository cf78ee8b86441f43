// emucc includes this before a source to see it as the host compiler does under nvcc.
#undef __CUDA_ARCH__
