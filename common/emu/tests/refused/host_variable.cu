// Device code can use the value of a host constant, but no other host variable.
const int count = 4;
const float factor = 2.5f;
constexpr int table_size = 4;
constexpr int fixed[2] = {1, 2};
int total = 4;
float weight[3] = {1, 2, 3};
const float const_weight[3] = {1, 2, 3};
constexpr float constexpr_weight[3] = {1, 2, 3};
static int counter;
__constant__ float device_weight[3] = {1, 2, 3};

__global__ void kernel(float* r, int i) {
  int local[table_size] = {fixed[1]};
  *r = count * factor + device_weight[i] + local[0];
  *r += total;                // error
  *r += weight[1];            // error
  *r += const_weight[i];      // error
  *r += constexpr_weight[i];  // error
  ++counter;                  // error
}
int main() { return total + static_cast<int>(weight[0] + const_weight[1] + constexpr_weight[1]) + counter; }
