// Runs the same work as a captured graph and as a graph built by hand, and then with changed parameters.
#include <cstdio>
#include <cstdlib>
#include <vector>
#define checkCudaErrors(e) do { cudaError_t r_ = (e); if (r_ != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(r_)); exit(1); } } while (0)

__global__ void scale(float *v, int n, float by) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) v[i] *= by; }
__global__ void add(float *v, const float *w, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) v[i] += w[i]; }
__global__ void total(const float *v, int n, float *out)
{
    __shared__ float s[128];
    float t = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) t += v[i];
    s[threadIdx.x] = t;
    __syncthreads();
    for (int d = blockDim.x / 2; d; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}
struct Seen { const float *value; double sum; int calls; };
static void CUDART_CB take(void *p)
{
    Seen *s = (Seen *)p;
    s->sum += *s->value;
    s->calls++;
}

int main()
{
    int n = 1000;
    float *a, *b, *d_a, *d_b, *d_sum, *sum;
    checkCudaErrors(cudaMallocHost((void **)&a, n * sizeof(float)));
    checkCudaErrors(cudaMallocHost((void **)&b, n * sizeof(float)));
    checkCudaErrors(cudaMallocHost((void **)&sum, sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_a, n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_b, n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_sum, sizeof(float)));
    for (int i = 0; i < n; i++) { a[i] = i % 10; b[i] = 1; }
    Seen seen = {sum, 0, 0};
    const dim3 block(128), grid((n + 127) / 128);

    // 1. captured: a fork into a second stream and a join
    cudaStream_t s1, s2;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    checkCudaErrors(cudaStreamCreate(&s1));
    checkCudaErrors(cudaStreamCreate(&s2));
    checkCudaErrors(cudaEventCreate(&fork));
    checkCudaErrors(cudaEventCreate(&join));
    checkCudaErrors(cudaStreamBeginCapture(s1, cudaStreamCaptureModeGlobal));
    checkCudaErrors(cudaEventRecord(fork, s1));
    checkCudaErrors(cudaStreamWaitEvent(s2, fork, 0));
    checkCudaErrors(cudaMemcpyAsync(d_a, a, n * sizeof(float), cudaMemcpyHostToDevice, s1));
    checkCudaErrors(cudaMemcpyAsync(d_b, b, n * sizeof(float), cudaMemcpyHostToDevice, s2));
    scale<<<grid, block, 0, s2>>>(d_b, n, 3.f);
    checkCudaErrors(cudaEventRecord(join, s2));
    checkCudaErrors(cudaStreamWaitEvent(s1, join, 0));
    add<<<grid, block, 0, s1>>>(d_a, d_b, n);
    total<<<1, 128, 0, s1>>>(d_a, n, d_sum);
    checkCudaErrors(cudaMemcpyAsync(sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost, s1));
    checkCudaErrors(cudaLaunchHostFunc(s1, take, &seen));
    checkCudaErrors(cudaStreamEndCapture(s1, &graph));
    size_t nodes = 0;
    checkCudaErrors(cudaGraphGetNodes(graph, NULL, &nodes));
    printf("captured %zu nodes, nothing run: sum %g calls %d\n", nodes, seen.sum, seen.calls);
    checkCudaErrors(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    for (int i = 0; i < 3; i++) checkCudaErrors(cudaGraphLaunch(exec, s1));
    checkCudaErrors(cudaStreamSynchronize(s1));
    printf("three launches: %g in all, %d calls\n", seen.sum, seen.calls);
    checkCudaErrors(cudaGraphExecDestroy(exec));
    checkCudaErrors(cudaGraphDestroy(graph));

    // 2. by hand
    std::vector<cudaGraphNode_t> before;
    cudaGraphNode_t copy, kernel, zero, back;
    checkCudaErrors(cudaGraphCreate(&graph, 0));
    checkCudaErrors(cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, d_a, a, n * sizeof(float), cudaMemcpyHostToDevice));
    cudaMemsetParams memset = {};
    memset.dst = d_sum;
    memset.elementSize = sizeof(float);
    memset.width = 1;
    memset.height = 1;
    checkCudaErrors(cudaGraphAddMemsetNode(&zero, graph, NULL, 0, &memset));
    before = {copy, zero};
    cudaKernelNodeParams params = {};
    void *args[] = {&d_a, &n, &d_sum};
    params.func = (void *)total;
    params.gridDim = dim3(1);
    params.blockDim = block;
    params.kernelParams = args;
    checkCudaErrors(cudaGraphAddKernelNode(&kernel, graph, before.data(), before.size(), &params));
    checkCudaErrors(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    checkCudaErrors(cudaGraphLaunch(exec, s2));
    checkCudaErrors(cudaStreamSynchronize(s2));
    printf("by hand: %g\n", *sum);
    n = 100;   // only the first hundred from now on
    checkCudaErrors(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    checkCudaErrors(cudaGraphLaunch(exec, s2));
    checkCudaErrors(cudaStreamSynchronize(s2));
    printf("updated: %g\n", *sum);
    checkCudaErrors(cudaGraphExecDestroy(exec));
    checkCudaErrors(cudaGraphDestroy(graph));
    checkCudaErrors(cudaStreamDestroy(s1));
    checkCudaErrors(cudaStreamDestroy(s2));
    checkCudaErrors(cudaFreeHost(a));
    checkCudaErrors(cudaFree(d_a));
    return 0;
}
