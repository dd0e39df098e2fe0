import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";

const MUSL = "/lib/ld-musl-x86_64.so.1";

/** Symbols that Debian's C++ library uses, that glibc has and musl does not. The tests do not need them. */
const OF_GLIBC = `
#include <sys/random.h>
char __libc_single_threaded;
int _dl_find_object(void *address, void *result) { return -1; }
unsigned arc4random(void) { unsigned bits; getrandom(&bits, sizeof bits, 0); return bits; }
`;

/**
 * Creates the libraries that an executable for Alpine Linux needs: the C library is Debian's musl, the C++ library
 * is the needed part of Debian's, linked to musl.
 *
 * @param into the folder for LD_LIBRARY_PATH
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

/** Requirements: programs by name, files by path. */
export function muslNeeds(): string[] {
  if (Bun.which("gcc") === null) return ["gcc"];
  const archive = Bun.spawnSync(["gcc", "-print-file-name=libstdc++_pic.a"]).stdout.toString().trim();
  return [MUSL, "musl-gcc", "nm", "readelf", archive];
}

function nameIn(line: string): string {
  return line.split(" ").at(-1) ?? "";
}
