#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <vector>

typedef unsigned char byte;

struct rgb { byte r, g, b; };

class Palette {
public:
    static const int SIZE = 64;
    __host__ __device__ static rgb color(int iteration, int max) {
        rgb c = {0, 0, 0};
        if (iteration >= max) return c;
        int t = iteration % SIZE;
        c.r = (byte)(9 * (SIZE - t) * t * t * t / (SIZE * SIZE * SIZE / 16) & 255);
        c.g = (byte)(t * 4);
        c.b = (byte)(255 - t * 3);
        return c;
    }
};

__host__ __device__ int escape(double cx, double cy, int max)
{
    double x = 0, y = 0;
    int i = 0;
    while (x * x + y * y <= 4.0 && i < max) {
        double t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        ++i;
    }
    return i;
}

__global__ void mandelbrot(rgb *image, size_t pitch, int width, int height, double scale, int max)
{
    const unsigned int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix >= width || iy >= height) return;
    rgb *row = (rgb *)((char *)image + iy * pitch);
    row[ix] = Palette::color(escape((ix - width * 0.7) * scale, (iy - height * 0.5) * scale, max), max);
}

int main(int argc, char *argv[])
{
    if (argc != 4) { std::cerr << "usage: " << argv[0] << " width height file\n"; return 1; }
    const int width = std::atoi(argv[1]), height = std::atoi(argv[2]), max = 200;
    const double scale = 3.0 / width;
    rgb *image;
    size_t pitch;
    if (cudaMallocPitch(&image, &pitch, width * sizeof(rgb), height) != cudaSuccess) {
        std::cerr << cudaGetErrorString(cudaGetLastError()) << "\n";
        return 1;
    }
    dim3 block(16, 16), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    mandelbrot<<<grid, block>>>(image, pitch, width, height, scale, max);
    std::vector<rgb> host(width * height);
    cudaError_t status = cudaMemcpy2D(host.data(), width * sizeof(rgb), image, pitch, width * sizeof(rgb), height, cudaMemcpyDeviceToHost);
    if (status != cudaSuccess) { std::cerr << cudaGetErrorString(status) << "\n"; return 1; }
    std::ofstream out(argv[3], std::ios::binary);
    out << "P6\n" << width << " " << height << "\n255\n";
    out.write(reinterpret_cast<const char *>(host.data()), host.size() * sizeof(rgb));
    int differ = 0, inside = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int n = escape((x - width * 0.7) * scale, (y - height * 0.5) * scale, max);
            const rgb c = Palette::color(n, max), &d = host[y * width + x];
            differ += c.r != d.r || c.g != d.g || c.b != d.b;
            inside += n == max;
        }
    std::cout << inside << " points inside, " << differ << " pixels differ" << std::endl;
    cudaFree(image);
    return differ != 0;
}
