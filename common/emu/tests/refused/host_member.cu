// Device code can't call host functions of objects.
struct Vector {
  float x = 0, y = 0;
  Vector() = default;
  __host__ __device__ Vector(float a, float b) : x(a), y(b) {}
  explicit Vector(float a) : x(a), y(a) {}
  float host_length() const { return x + y; }
  __device__ float length() const { return x + y; }
  static Vector host_zero() { return Vector(0, 0); }
  Vector operator+(const Vector& other) const { return Vector(x + other.x, y + other.y); }
  __host__ __device__ Vector operator-(const Vector& other) const { return Vector(x - other.x, y - other.y); }
};
Vector operator*(const Vector& a, const Vector& b) { return Vector(a.x * b.x, a.y * b.y); }
float host_use(const Vector& v) { return (v + v).host_length() + (v * v).x + Vector(1).x + Vector::host_zero().x; }

__global__ void kernel(float* r, Vector a, const Vector* b) {
  Vector c(1, 2);
  Vector d = a - c;
  *r = d.length();
  *r += a.host_length();        // error
  *r += b->host_length();       // error
  *r += b[0].host_length();     // error
  d = a + c;                    // error
  d = a * c;                    // error
  d = Vector(2);                // error
  d = Vector::host_zero();      // error
}
