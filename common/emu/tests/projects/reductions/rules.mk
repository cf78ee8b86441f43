NVCCFLAGS ?= -O3 -std=c++17 -rdc=true
COMPILE.cu = $(NVCC) $(NVCCFLAGS) -c
LINK = $(NVCC) $(NVCCFLAGS) $^ -o $@
%.o: %.cu reduction.h
	$(COMPILE.cu) -o $@ $<
