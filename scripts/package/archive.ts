import { $ } from "bun";

/**
 * Packs a folder so that the same files give the same bytes: sorted, with the same owner and time for all files.
 * gzip, because every machine can unpack it.
 *
 * @param name the folder, and the first part of all paths in the archive @param parent the parent of the folder
 * @param time seconds since 1970
 */
export async function pack(
  name: string,
  { parent, time, file }: { parent: string; time: number; file: string },
) {
  const order = ["--sort=name", "--format=ustar", `--mtime=@${time}`, "--mode=u=rwX,go=rX"];
  const owner = ["--owner=0", "--group=0", "--numeric-owner"];
  const tar = await $`tar --create ${order} ${owner} --directory ${parent} ${name}`.quiet().arrayBuffer();
  // Bun writes no name and no time to the header. Its version is the same on all machines, unlike the version of gzip.
  await Bun.write(file, Bun.gzipSync(new Uint8Array(tar), { level: 9, library: "libdeflate" }));
}
