import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";

const MUSL = "/lib/ld-musl-x86_64.so.1";

/** What Debian's C++ library wants of glibc and musl does not have; none of it matters to what is run here. */
const OF_GLIBC = `
#include <sys/random.h>
char __libc_single_threaded;
int _dl_find_object(void *address, void *result) { return -1; }
unsigned arc4random(void) { unsigned bits; getrandom(&bits, sizeof bits, 0); return bits; }
`;

/**
 * Makes the libraries that an executable for Alpine Linux finds there: the C library is Debian's musl, the C++ library
 * what the executable needs of Debian's, linked to it.
 *
 * @param into a folder, to be given as LD_LIBRARY_PATH
 */
export async function makeMuslLibraries(executable: string, into: string): Promise<void> {
  symlinkSync(MUSL, join(into, "libc.musl-x86_64.so.1"));
  await Bun.write(join(into, "of-glibc.c"), OF_GLIBC);
  const own = new Set((await $`nm --dynamic --defined-only ${MUSL}`.text()).split("\n").map(nameIn));
  const copied = (await $`readelf --relocs --wide ${executable}`.text())
    .split("\n")
    .filter((line) => line.includes("_COPY"));
  const undefinedHere = (await $`nm --dynamic --undefined-only ${executable}`.text())
    .split("\n")
    .filter((line) => / U /.test(line));
  const wanted = [...undefinedHere.map(nameIn), ...copied.map((line) => line.split(/ +/)[4] ?? "")];
  const roots = wanted.filter((name) => !own.has(name)).map((name) => `-Wl,--undefined=${name}`);
  const part = async (name: string) => (await $`gcc -print-file-name=${name}`.text()).trim();
  const parts = await Promise.all(["libstdc++_pic.a", "libgcc.a", "libgcc_eh.a"].map(part));
  const [begin, end] = await Promise.all(["crtbeginS.o", "crtendS.o"].map(part));
  await $`musl-gcc -shared -nostdlib -Wl,-soname,libstdc++.so.6 -o ${join(into, "libstdc++.so.6")} ${begin} ${roots} ${join(into, "of-glibc.c")} ${parts} -lc ${end}`;
}

/** What it takes: programs by name, files by their path. */
export function muslNeeds(): string[] {
  if (Bun.which("gcc") === null) return ["gcc"];
  const archive = Bun.spawnSync(["gcc", "-print-file-name=libstdc++_pic.a"]).stdout.toString().trim();
  return [MUSL, "musl-gcc", "nm", "readelf", archive];
}

function nameIn(line: string): string {
  return line.split(" ").at(-1) ?? "";
}
