/* sha256_vectors.c - claim: the hash gives the examples of FIPS 180-4 and agrees with sha256sum at
 * every length around a block. */
#include "check.h"
#include "io/sha256.h"

static void check_digest(const char *what, const void *data, size_t size, const char *expected)
{
    char found[OTOK_SHA256_SIZE];
    otok_sha256(data, size, found);
    CHECK(strcmp(found, expected) == 0, "%s: %s", what, found);
}

int main(void)
{
    check_digest("empty", "", 0,
                 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_digest("abc", "abc", 3,
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_digest("two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000);
    if (!million) return 77;
    memset(million, 'a', 1000000);
    check_digest("a million a", million, 1000000,
                 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    for (size_t size = 54; size <= 130; size++) {
        char command[160], line[128] = "", found[OTOK_SHA256_SIZE];
        snprintf(command, sizeof command, "head -c %zu /dev/zero | tr '\\0' a | sha256sum", size);
        FILE *pipe = popen(command, "r");
        if (!pipe || !fgets(line, sizeof line, pipe)) return 77;
        pclose(pipe);
        otok_sha256(million, size, found);
        CHECK(strncmp(found, line, 64) == 0, "%zu bytes: %s, sha256sum says %s", size, found, line);
    }
    free(million);
    return check_failures != 0;
}
