/* sha256.c: FIPS 180-4, section 6.2, with the names of the standard. */
#include "sha256.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, int n)
{
    return (x >> n) | (x << (32 - n));
}

static void compress(uint32_t H[8], const unsigned char block[64])
{
    uint32_t W[64];
    for (int t = 0; t < 16; t++)
        W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        const uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ (W[t - 15] >> 3);
        const uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ (W[t - 2] >> 10);
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
    uint32_t v[8]; /* a..h */
    memcpy(v, H, sizeof v);
    for (int t = 0; t < 64; t++) {
        const uint32_t S1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t T1 = v[7] + S1 + choice + K[t] + W[t];
        const uint32_t S0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += T1;
        v[0] = T1 + S0 + majority;
    }
    for (int i = 0; i < 8; i++)
        H[i] += v[i];
}

void otok_sha256(const void *data, size_t size, char out[OTOK_SHA256_SIZE])
{
    uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *p = data;
    size_t left = size;
    for (; left >= 64; left -= 64, p += 64)
        compress(H, p);
    unsigned char tail[128] = {0};
    if (left) memcpy(tail, p, left);
    tail[left] = 0x80;
    const size_t end = left < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++)
        tail[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += 64)
        compress(H, tail + at);
    for (int i = 0; i < 8; i++)
        snprintf(out + 8 * i, 9, "%08x", H[i]);
}

static void hash_file(char out[OTOK_SHA256_SIZE], const char *path)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* no pipe is waited for */
    const size_t size =
        file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? (size_t)about.st_size : 0;
    void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (file >= 0) close(file);
    memset(out, '-', OTOK_SHA256_SIZE - 1);
    out[OTOK_SHA256_SIZE - 1] = 0;
    if (bytes == MAP_FAILED) return;
    otok_sha256(bytes, size, out);
    munmap(bytes, size);
}

void otok_sha256_input(FILE *out, const char *start, const char *path, const char *name)
{
    char hash[OTOK_SHA256_SIZE], beside[4200];
    const size_t n = strlen(path), m = strlen(name);
    hash_file(hash, path);
    fprintf(out, "%s%s %s\n", start, hash, name);
    if (n < 4 || m < 4 || strcmp(path + n - 4, ".asc") != 0) return;
    snprintf(beside, sizeof beside, "%.*s.prj", (int)n - 4, path);
    if (access(beside, F_OK) == 0)
        hash_file(hash, beside);
    else
        otok_sha256("", 0, hash);
    fprintf(out, "%s%s %.*s.prj\n", start, hash, (int)m - 4, name);
}
