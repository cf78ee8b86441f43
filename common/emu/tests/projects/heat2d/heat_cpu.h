static void heat_cpu(const float *in, float *out, float a)
{
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i < NX - 1; i++)
            out[j * NX + i] = in[j * NX + i] + a * (in[j * NX + i - 1] + in[j * NX + i + 1] + in[(j - 1) * NX + i] + in[(j + 1) * NX + i] - 4.0f * in[j * NX + i]);
}
