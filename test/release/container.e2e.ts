import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { version } from "../../package.json";
import { imageNeeds } from "../../scripts/package/image.ts";
import { IMAGE } from "../../scripts/package/kit.ts";
import { HARDENED, LIMITS, mountOf, Podman } from "../support/environments/podman.ts";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { Debian } from "../support/release/debian.ts";
import { imageArchive, readImage } from "../support/release/image.ts";
import { archiveOf, unpack } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

const NAME = `${IMAGE}:${version}`;
const PROGRAM = "/usr/local/bin/stillup";
/** The user of the image. */
const USER = 10_001;
const MAX_SIZE = 60_000_000;

const isBuilt = imageNeeds() === undefined;
const architectures = isLong ? ["amd64", "arm64"] : ["amd64"];

test.skipIf(!isBuilt)(
  "behavior 24.60, 24.61: the image has at most 60 MB for each architecture, a user, a health check, labels, and nothing else than stillup and its C library",
  async () => {
    using dir = tempDir();
    const platforms = await readImage(imageArchive(), dir.path);
    expect(platforms.map(({ architecture }) => architecture)).toEqual(architectures);
    for (const { size, layerTypes, config, files } of platforms) {
      expect(size).toBeLessThan(MAX_SIZE);
      expect(layerTypes).toEqual(Array(2).fill("application/vnd.oci.image.layer.v1.tar+zstd"));
      expect(config.config).toMatchObject({
        User: `${USER}:${USER}`,
        Entrypoint: [PROGRAM],
        Cmd: ["serve"],
        ExposedPorts: { "7070/tcp": {} },
        Volumes: { "/var/lib/stillup": {} },
        Healthcheck: { Test: ["CMD", PROGRAM, "health"], Interval: 30e9, Timeout: 10e9, StartPeriod: 30e9 },
      });
      const labels = Object.keys(config.config.Labels).map((name) =>
        name.replace(/^org\.opencontainers\.image\./, ""),
      );
      expect(labels.sort()).toEqual(
        [
          "created",
          "description",
          "documentation",
          "licenses",
          "revision",
          "source",
          "title",
          "url",
          "version",
        ].sort(),
      );
      expect(config.config.Labels["org.opencontainers.image.version"]).toBe(version);
      const regular = files
        .filter((line) => line.startsWith("-"))
        .map((line) => line.split("/").at(-1) ?? "");
      expect(regular.sort()).toEqual(
        [
          ...["copyright", "libc.so.6", "libc6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "os-release"],
          ...[regular.find((name) => name.startsWith("ld-linux-")) ?? "", "stillup"],
        ].sort(),
      );
      expect(files.filter((line) => !/^\S+ 0\/0 /.test(line))).toEqual([
        expect.stringMatching(/^drwx------ 10001\/10001 .* var\/lib\/stillup\/$/),
      ]);
    }
  },
);

const podman = isBuilt ? await Podman.create(imageArchive()) : undefined;
afterAll(() => podman?.[Symbol.asyncDispose]());

/** The engine, in a test that is skipped without it. */
function engine(): Podman {
  if (!podman) throw new Error("Podman does not run here");
  return podman;
}

test.skipIf(!podman)(
  "behavior 24.62: read-only and without rights, it starts, checks, is killed, starts again on its volume, and stops",
  async () => {
    const podman = engine();
    await using site = new HttpTarget();
    const volume = await podman.volume();
    const directory = await podman.directoryOf(volume);
    const start = (network: "host" | "bridge", more: string[] = []) =>
      podman.serve({ image: NAME, args: [...HARDENED, mountOf(volume), ...more], network });

    const first = await start("host");
    expect(statSync(directory).uid).toBe(USER);
    expect(await first.run([PROGRAM, "health"])).toMatchObject({ code: 0 });
    const client = await first.client(directory);
    const config = { url: site.url, interval: 1 };
    const { body } = await client.post("/api/v1/monitors", { name: "site", type: "HTTP", config });
    const status = async () => (await client.get(`/api/v1/monitors/${body.data.id}`)).body.data?.status;
    await eventually(async () => (await status()) === "up");
    await first.kill();

    // Behind a bridge, on a port of this machine.
    const second = await start("bridge");
    const again = await second.client(directory);
    const found = (await again.get(`/api/v1/monitors/${body.data.id}`)).body.data;
    expect(found).toMatchObject({ name: "site" });
    expect(await second.run([PROGRAM, "backup", "/var/lib/stillup/before-upgrade.db"])).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(directory, "before-upgrade.db"))).toBe(true);
    expect(
      await podman.call(["run", "--rm", ...LIMITS, ...HARDENED, mountOf(volume), NAME, "check"]),
    ).toMatchObject({ code: 0 });
    expect(await second.stop()).toBe(0);
  },
);

test.skipIf(!podman)("a newer image starts on the volume of an older one", async () => {
  const podman = engine();
  using dir = tempDir();
  await Bun.write(join(dir.path, "Containerfile"), `FROM ${NAME}\nLABEL newer=yes\n`);
  await podman.must(["build", "--tag=newer", "--format=docker", dir.path]);
  const volume = await podman.volume();
  const directory = await podman.directoryOf(volume);
  const args = [...HARDENED, mountOf(volume)];
  const old = await podman.serve({ image: NAME, args });
  const client = await old.client(directory);
  const { body } = await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
  expect(await old.stop()).toBe(0);
  const newer = await podman.serve({ image: "newer", args });
  const after = await newer.client(directory);
  expect((await after.get(`/api/v1/monitors/${body.data.id}`)).status).toBe(200);
  expect(await newer.stop()).toBe(0);
});

test.skipIf(!podman || !isLong || isMissing(["debootstrap"], { root: true }))(
  "the Containerfile of the archive builds an image that starts on a new volume, and keeps its health check",
  async () => {
    const podman = engine();
    using dir = tempDir();
    await using debian = await Debian.create();
    // The base image is on this machine, so no registry is needed.
    await $`tar --create --directory ${debian.root} . > ${join(dir.path, "base.tar")}`;
    await podman.must(["import", join(dir.path, "base.tar"), "docker.io/library/debian:bookworm-slim"]);
    using unpacked = tempDir();
    const folder = await unpack(archiveOf("linux-x64"), unpacked.path);
    const quietly = ["--pull=never", "--format=docker", ...LIMITS];
    await podman.must(["build", ...quietly, "--tag=own", folder]);
    const volume = await podman.volume();
    const served = await podman.serve({ image: "own", args: [...HARDENED, mountOf(volume)] });
    expect(statSync(await podman.directoryOf(volume)).uid).toBe(USER);
    expect(await podman.call(["healthcheck", "run", served.id])).toMatchObject({ code: 0 });
    expect(await served.stop()).toBe(0);
  },
);

const emulator = "qemu-aarch64-static";
test.skipIf(!podman || !isLong || isMissing([emulator]))(
  "behavior 24.62: the image for 64-bit ARM starts, records a check-in and stops",
  async () => {
    const podman = engine();
    // The name of the image now leads to this architecture.
    const { stdout } = await podman.must([
      "pull",
      "--quiet",
      "--arch=arm64",
      `oci-archive:${imageArchive()}:${version}`,
    ]);
    const image = stdout.trim();
    const volume = await podman.volume();
    const directory = await podman.directoryOf(volume);
    const inside = [`--volume=${Bun.which(emulator)}:/emulator:ro`, "--arch=arm64"];
    const args = [...HARDENED, mountOf(volume), ...inside];
    const served = await podman.serve({ image, args, command: ["/emulator", PROGRAM] });
    const client = await served.client(directory);
    const { body } = await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} });
    const path = new URL(body.data.checkinUrl).pathname;
    expect(await (await fetch(served.url + path)).json()).toMatchObject({ recorded: "ok" });
    expect(await served.run(["/emulator", PROGRAM, "health"])).toMatchObject({ code: 0 });
    expect(await served.stop()).toBe(0);
  },
);
