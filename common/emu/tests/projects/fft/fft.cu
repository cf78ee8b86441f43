/* Stockham radix-2 FFT in shared memory, one transform for each block; and a 2D transform by rows and columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>
#include <math_constants.h>

typedef float2 Complex;

static __device__ __host__ inline Complex ComplexAdd(Complex a, Complex b) { Complex c; c.x = a.x + b.x; c.y = a.y + b.y; return c; }
static __device__ __host__ inline Complex ComplexSub(Complex a, Complex b) { Complex c; c.x = a.x - b.x; c.y = a.y - b.y; return c; }
static __device__ __host__ inline Complex ComplexMul(Complex a, Complex b)
{
    Complex c;
    c.x = a.x * b.x - a.y * b.y;
    c.y = a.x * b.y + a.y * b.x;
    return c;
}

/* n <= 1024, a power of two; blockDim.x == n/2. Element i of transform t is data[t*dist + i*stride]. */
__global__ void fft_kernel(Complex *data, int n, int stride, int dist, float sign)
{
    extern __shared__ Complex buffer[];
    Complex *x = buffer, *y = buffer + n;
    const int t = threadIdx.x, h = n >> 1;
    Complex *mine = data + (size_t)blockIdx.x * dist;
    x[t] = mine[t * stride];
    x[t + h] = mine[(t + h) * stride];
    __syncthreads();
    for (int s = 1, l = h; l >= 1; s <<= 1, l >>= 1) {
        const int k = t & (s - 1), j = t / s;
        float sn, cs;
        sincospif(sign * (float)j / l, &sn, &cs);
        const Complex w = make_float2(cs, sn), a = x[k + s * j], b = x[k + s * (j + l)];
        y[k + 2 * s * j] = ComplexAdd(a, b);
        y[k + 2 * s * j + s] = ComplexMul(ComplexSub(a, b), w);
        Complex *swap = x; x = y; y = swap;
        __syncthreads();
    }
    mine[t * stride] = x[t];
    mine[(t + h) * stride] = x[t + h];
}

__global__ void scale(Complex *data, int n, float by)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        data[i].x *= by;
        data[i].y *= by;
    }
}

static void fft_rows(Complex *d, int n, int batch, float sign) { fft_kernel<<<batch, n / 2, 2 * n * sizeof(Complex)>>>(d, n, 1, n, sign); }
static void fft_columns(Complex *d, int n, int columns, float sign) { fft_kernel<<<columns, n / 2, 2 * n * sizeof(Complex)>>>(d, n, columns, 1, sign); }

static double error_against_dft(const Complex *in, const Complex *out, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k += 7) {
        double re = 0, im = 0;
        for (int i = 0; i < n; i++) {
            const double phi = -2 * CUDART_PI * ((long)i * k % n) / n;
            re += in[i].x * cos(phi) - in[i].y * sin(phi);
            im += in[i].x * sin(phi) + in[i].y * cos(phi);
        }
        worst = fmax(worst, fmax(fabs(re - out[k].x), fabs(im - out[k].y)));
    }
    return worst;
}

int main()
{
    int failures = 0;
    for (int n = 2; n <= 1024; n *= 4) {
        const int batch = 3;
        Complex *h = (Complex *)malloc(sizeof(Complex) * n * batch), *r = (Complex *)malloc(sizeof(Complex) * n * batch), *d;
        for (int i = 0; i < n * batch; i++) { h[i].x = (i * 31 % 17) / 17.f; h[i].y = (i * 7 % 11) / 11.f - 0.5f; }
        cudaMalloc((void **)&d, sizeof(Complex) * n * batch);
        cudaMemcpy(d, h, sizeof(Complex) * n * batch, cudaMemcpyHostToDevice);
        fft_rows(d, n, batch, -1.f);
        cudaMemcpy(r, d, sizeof(Complex) * n * batch, cudaMemcpyDeviceToHost);
        double e = 0;
        for (int b = 0; b < batch; b++) e = fmax(e, error_against_dft(h + b * n, r + b * n, n));
        printf("n=%4d: %s\n", n, e < 2e-3 ? "ok" : "WRONG");
        failures += !(e < 2e-3);
        cudaFree(d); free(h); free(r);
    }
    /* There and back again in two dimensions. */
    const int w = 64, hgt = 128, all = w * hgt;
    Complex *h = (Complex *)malloc(sizeof(Complex) * all), *r = (Complex *)malloc(sizeof(Complex) * all), *d;
    for (int i = 0; i < all; i++) { h[i].x = sinf(i * 0.1f); h[i].y = 0; }
    cudaMalloc((void **)&d, sizeof(Complex) * all);
    cudaMemcpy(d, h, sizeof(Complex) * all, cudaMemcpyHostToDevice);
    fft_rows(d, w, hgt, -1.f); fft_columns(d, hgt, w, -1.f);
    fft_columns(d, hgt, w, 1.f); fft_rows(d, w, hgt, 1.f);
    scale<<<8, 128>>>(d, all, 1.f / all);
    cudaMemcpy(r, d, sizeof(Complex) * all, cudaMemcpyDeviceToHost);
    double e = 0;
    for (int i = 0; i < all; i++) e = fmax(e, fmax(fabs(r[i].x - h[i].x), fabs(r[i].y)));
    printf("2D %dx%d there and back: %s, %s\n", w, hgt, e < 1e-5 ? "ok" : "WRONG", cudaGetErrorString(cudaGetLastError()));
    cudaFree(d); free(h); free(r);
    return failures + !(e < 1e-5);
}
