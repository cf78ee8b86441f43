// Local alignment (Smith-Waterman) and longest common subsequence, one anti-diagonal at a time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAP (-2)
#define MATCH 3
#define MISMATCH (-3)
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static void HandleError(cudaError_t err, const char *file, int line) {
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define HANDLE_NULL(a) {if ((a) == NULL) { printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__); exit(EXIT_FAILURE);}}

struct Best {
    int score, row, col;
};
__device__ unsigned long long best_packed;   // score in the high half, place in the low one

// One launch for each anti-diagonal.
__global__ void sw_diagonal(const char *a, const char *b, int n, int m, int *h, int diagonal)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + MAX(1, diagonal - m);
    int j = diagonal - i;
    if (i > n || j < 1) return;
    const int w = m + 1;
    int score = h[(i - 1) * w + j - 1] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH);
    score = max(score, h[(i - 1) * w + j] + GAP);
    score = max(score, h[i * w + j - 1] + GAP);
    score = max(score, 0);
    h[i * w + j] = score;
    if (score > 0) {
        unsigned long long packed = ((unsigned long long)score << 32) | (0xffffffffu - (unsigned)(i * w + j));
        atomicMax(&best_packed, packed);
    }
}

// The whole table in one block; three diagonals in shared memory.
__global__ void lcs_block(const char *a, const char *b, int n, int m, int *length)
{
    extern __shared__ int diagonals[];
    int *previous2 = diagonals, *previous = previous2 + n + 1, *current = previous + n + 1;
    for (int i = threadIdx.x; i < 3 * (n + 1); i += blockDim.x) diagonals[i] = 0;
    __syncthreads();
    for (int d = 2; d <= n + m; d++) {
        for (int i = MAX(1, d - m) + (int)threadIdx.x; i <= min(n, d - 1); i += blockDim.x) {
            const int j = d - i;
            current[i] = a[i - 1] == b[j - 1] ? previous2[i - 1] + 1 : max(previous[i - 1], previous[i]);
        }
        __syncthreads();
        int *t = previous2; previous2 = previous; previous = current; current = t;
        if (threadIdx.x == 0) { current[0] = 0; }
        __syncthreads();
    }
    if (threadIdx.x == 0) *length = previous[n];
}

int main(int argc, char **argv)
{
    if (argc < 3) { fprintf(stderr, "usage: %s n m\n", argv[0]); return 1; }
    const int n = atoi(argv[1]), m = atoi(argv[2]), w = m + 1;
    char *a = (char *)malloc(n + 1), *b = (char *)malloc(m + 1), *dev_a, *dev_b;
    HANDLE_NULL(a); HANDLE_NULL(b);
    srand(1234);
    for (int i = 0; i < n; i++) a[i] = "ACGT"[rand() % 4];
    for (int i = 0; i < m; i++) b[i] = i < n && rand() % 3 ? a[n - n / 3 + i % (n / 3)] : "ACGT"[rand() % 4];
    // reference
    int *h = (int *)calloc((n + 1) * w, sizeof(int)), *l = (int *)calloc((n + 1) * w, sizeof(int));
    struct Best best = {0, 0, 0};
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = MAX(0, h[(i - 1) * w + j - 1] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH));
            s = MAX(s, MAX(h[(i - 1) * w + j], h[i * w + j - 1]) + GAP);
            h[i * w + j] = s;
            if (s > best.score) { best.score = s; best.row = i; best.col = j; }
            l[i * w + j] = a[i - 1] == b[j - 1] ? l[(i - 1) * w + j - 1] + 1 : MAX(l[(i - 1) * w + j], l[i * w + j - 1]);
        }
    int *dev_h, *dev_length, length;
    HANDLE_ERROR(cudaMalloc((void **)&dev_a, n));
    HANDLE_ERROR(cudaMalloc((void **)&dev_b, m));
    HANDLE_ERROR(cudaMalloc((void **)&dev_h, (n + 1) * w * sizeof(int)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_length, sizeof(int)));
    HANDLE_ERROR(cudaMemcpy(dev_a, a, n, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b, m, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemset(dev_h, 0, (n + 1) * w * sizeof(int)));
    for (int d = 2; d <= n + m; d++) {
        const int cells = n < m ? n : m;
        sw_diagonal<<<(cells + 63) / 64, 64>>>(dev_a, dev_b, n, m, dev_h, d);
    }
    unsigned long long packed;
    HANDLE_ERROR(cudaMemcpyFromSymbol(&packed, best_packed, sizeof(packed)));
    const int place = (int)(0xffffffffu - (unsigned)packed);
    const int score = (int)(packed >> 32);
    lcs_block<<<1, 128, 3 * (n + 1) * sizeof(int)>>>(dev_a, dev_b, n, m, dev_length);
    HANDLE_ERROR(cudaMemcpy(&length, dev_length, sizeof(int), cudaMemcpyDeviceToHost));
    const bool ok = score == best.score && place / w == best.row && place % w == best.col && length == l[n * w + m];
    printf("best local score %d ends at (%d, %d); longest common subsequence %d: %s\n", score, place / w, place % w, length, ok ? "correct" : "WRONG");
    HANDLE_ERROR(cudaFree(dev_a)); HANDLE_ERROR(cudaFree(dev_b)); HANDLE_ERROR(cudaFree(dev_h)); HANDLE_ERROR(cudaFree(dev_length));
    free(a); free(b); free(h); free(l);
    return !ok;
}
