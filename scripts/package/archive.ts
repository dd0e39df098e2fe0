import { $ } from "bun";

/**
 * Packs a folder so that the same files give the same bytes: sorted, owned by nobody in particular, all with one time.
 * gzip, because every machine can unpack it.
 *
 * @param name the folder, which is also the first part of all paths in the archive @param parent where it lies
 * @param time seconds since 1970
 */
export async function pack(
  name: string,
  { parent, time, file }: { parent: string; time: number; file: string },
) {
  const order = ["--sort=name", "--format=ustar", `--mtime=@${time}`, "--mode=u=rwX,go=rX"];
  const owner = ["--owner=0", "--group=0", "--numeric-owner"];
  const tar = await $`tar --create ${order} ${owner} --directory ${parent} ${name}`.quiet().arrayBuffer();
  // With no name and no time in its header; Bun is of one version for all who build, other than gzip itself.
  await Bun.write(file, Bun.gzipSync(new Uint8Array(tar), { level: 9, library: "libdeflate" }));
}
