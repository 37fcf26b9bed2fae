"""Claim: what tests/transfers.py counts is what CUPTI's records say. A small library that CUPTI's own header compiles plays CUPTI: it asks
for buffers and hands back records of copies of each kind. `python3 tests/python_transfers.py COMPILER [CUDA_HOME]`; 77: no header."""
import pathlib
import re
import subprocess
import sys
import tempfile

from transfers import Counter, Missing

COPIES = {1: 1000, 2: 200, 3: 30, 4: 7, 5: 1 << 20, 6: 1 << 21, 7: 1 << 22, 8: 1 << 33, 9: 1 << 34}  # kind: bytes; 5 to 9 stay on one side
SOURCE = """
#include <cupti.h>
#include <string.h>
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static int enabled;
CUptiResult cuptiGetVersion(uint32_t *v) { *v = CUPTI_API_VERSION; return 0; }
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) { enabled = kind == CUPTI_ACTIVITY_KIND_MEMCPY; return 0; }
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) { enabled = 0; return 0; }
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext c, uint32_t s, size_t *n) { *n = 0; return 0; }
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc r, CUpti_BuffersCallbackCompleteFunc c)
{
    request = r, complete = c;
    return 0;
}
CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + sizeof(RECORD) : buffer;
    if (next + sizeof(RECORD) > buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)next;
    return 0;
}
CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    static const uint64_t sizes[] = {SIZES};
    uint8_t *buffer;
    size_t size, most;
    if (!enabled || flag != CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) return 0;
    request(&buffer, &size, &most);
    RECORD *records = (RECORD *)buffer;
    memset(records, 0xff, (sizeof sizes / sizeof *sizes + 1) * sizeof *records);
    size_t n = 0;
    for (; n < sizeof sizes / sizeof *sizes; n++) {
        records[n].kind = CUPTI_ACTIVITY_KIND_MEMCPY;
        records[n].copyKind = (uint8_t)(n + CUPTI_ACTIVITY_MEMCPY_KIND_HTOD);
        records[n].bytes = sizes[n];
    }
    records[n].kind = CUPTI_ACTIVITY_KIND_MEMSET; /* no copy */
    complete(NULL, 0, buffer, size, (n + 1) * sizeof *records);
    return 0;
}
"""
roots = [*sys.argv[2:], "/usr/local/cuda"]
folders = [pathlib.Path(root) / folder for root in roots for folder in ("include", "extras/CUPTI/include", "targets/x86_64-linux/include")]
header = next((folder for folder in folders if (folder / "cupti_activity.h").exists()), None)
if not header:
    print("skipped: no cupti_activity.h")
    sys.exit(77)
newest = re.findall(r"^} (CUpti_ActivityMemcpy\d*);", (header / "cupti_activity.h").read_text(), re.M)
with tempfile.TemporaryDirectory(prefix="otok-transfers-") as space:
    made = pathlib.Path(space) / "libcupti.so"
    words = [f"-DRECORD={newest[-1]}", f"-DSIZES={','.join(f'{size}ull' for size in COPIES.values())}"]
    include = [f"-isystem{folder}" for folder in folders if folder.is_dir()]
    subprocess.run([sys.argv[1], "-shared", "-fPIC", "-xc", "-", "-o", made, *words, *include], input=SOURCE, text=True, check=True)
    counter = Counter(str(made))
    for _ in range(2):
        found = counter.over_the_bus(lambda: None)
        if found != 1237 or [*COPIES.items()] != counter.copies or counter.buffers:
            sys.exit(f"{newest[-1]}: {found} bytes of {counter.copies}; {len(counter.buffers)} buffers kept")
    try:
        Counter("/nowhere/libcupti.so")
        sys.exit("a library that is not there was found")
    except Missing:
        pass
print(f"{newest[-1]} of {header}: {found} bytes over the bus")
