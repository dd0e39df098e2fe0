import { $ } from "bun";

/**
 * Options of tar with which the same files give the same bytes: sorted, with the same owner and time for all files.
 *
 * @param time seconds since 1970 @param owner the number of the user and of the group
 */
export function evenly({ time, owner = 0 }: { time: number; owner?: number }): string[] {
  const numbers = [`--owner=${owner}`, `--group=${owner}`, "--numeric-owner"];
  return ["--sort=name", "--format=ustar", `--mtime=@${time}`, ...numbers];
}

/**
 * Packs a folder so that the same files give the same bytes. gzip, because every machine can unpack it.
 *
 * @param name the folder, and the first part of all paths in the archive @param parent the parent of the folder
 * @param time seconds since 1970
 */
export async function pack(
  name: string,
  { parent, time, file }: { parent: string; time: number; file: string },
) {
  const tar = await $`tar --create ${evenly({ time })} --mode=u=rwX,go=rX --directory ${parent} ${name}`
    .quiet()
    .arrayBuffer();
  // Bun writes no name and no time to the header. Its version is the same on all machines, unlike the version of gzip.
  await Bun.write(file, Bun.gzipSync(new Uint8Array(tar), { level: 9, library: "libdeflate" }));
}
