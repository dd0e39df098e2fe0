import { readFileSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { version } from "../../../package.json";
import { releaseFolder } from "./release.ts";

/** The archive of the image of a release. */
export function imageArchive(): string {
  return join(releaseFolder(), `stillup-${version}.oci.tar`);
}

/** @property size of all layers together, compressed, in bytes @property config the settings of the image */
export interface Platform {
  architecture: string;
  size: number;
  layerTypes: string[];
  config: {
    created: string;
    config: Record<string, unknown> & { Labels: Record<string, string> };
  };
  /** Each file: mode, owner, size and path, as tar lists them. */
  files: string[];
}

/** Reads an archive, and proves the digest of each of its files. */
export async function readImage(archive: string, into: string): Promise<Platform[]> {
  await $`tar --extract --file ${archive} --directory ${into}`;
  const blob = (digest: string) => {
    const bytes = readFileSync(join(into, "blobs", digest.replace(":", "/")));
    const found = `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
    if (found !== digest) throw new Error(`the digest of ${digest} is ${found}`);
    return bytes;
  };
  const json = (digest: string) => JSON.parse(blob(digest).toString());
  const top = JSON.parse(readFileSync(join(into, "index.json"), "utf8"));
  const { manifests } = json(top.manifests[0].digest);
  return Promise.all(
    manifests.map(async ({ digest, platform }: { digest: string; platform: { architecture: string } }) => {
      const { config, layers } = json(digest);
      const files: string[] = [];
      for (const { digest: name } of layers) {
        const tar = Bun.zstdDecompressSync(blob(name));
        files.push(...(await $`tar --list --verbose --numeric-owner < ${tar}`.text()).trim().split("\n"));
      }
      return {
        architecture: platform.architecture,
        size: layers.reduce((sum: number, { size }: { size: number }) => sum + size, 0),
        layerTypes: layers.map(({ mediaType }: { mediaType: string }) => mediaType),
        config: json(config.digest),
        files,
      };
    }),
  );
}
