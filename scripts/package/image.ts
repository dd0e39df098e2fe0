import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { $ } from "bun";
import { evenly } from "./archive.ts";
import { IMAGE } from "./kit.ts";

/** An architecture, as Debian and the Open Container Initiative name it. */
export type Architecture = "amd64" | "arm64";

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { architecture: Architecture; os: "linux" };
  annotations?: Record<string, string>;
}

/** @property time seconds since 1970 @property revision the commit */
interface Release {
  version: string;
  time: number;
  revision: string;
}

const MEDIA = "application/vnd.oci.image";

/** The libraries that the executable is linked to. */
const LIBRARIES = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"];

/** The program that loads the libraries, whose path is in the executable. */
const LOADERS: Record<Architecture, string> = {
  amd64: "lib64/ld-linux-x86-64.so.2",
  arm64: "lib/ld-linux-aarch64.so.1",
};

const MACHINES: Record<Architecture, string> = { amd64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" };

/** Why this machine can't build the image, or `undefined`. */
export function imageNeeds(): string | undefined {
  const missing = ["apt-get", "dpkg-deb"].filter((program) => Bun.which(program) === null);
  if (missing.length === 0 && osRelease().ID === "debian") return undefined;
  return "the C library of the image comes from the packages of Debian, so that this needs Debian";
}

/**
 * The image of a release for several architectures, as an image layout of the Open Container Initiative (OCI). No engine builds
 * it, so that no base image is needed, another architecture needs no emulator, and the same commit gives the same bytes. The
 * Containerfile has its settings.
 */
export class Image {
  readonly #manifests: Promise<Descriptor>[] = [];
  readonly #settings = settings(readFileSync("scripts/package/Containerfile", "utf8"));

  /** @param folder an empty one, for its files */
  constructor(
    private readonly folder: string,
    private readonly release: Release,
  ) {
    mkdirSync(join(folder, "layout/blobs/sha256"), { recursive: true });
  }

  /** Adds an architecture. Compression goes on in the background until `write`. */
  async add(architecture: Architecture, program: string): Promise<void> {
    const folder = join(this.folder, architecture);
    const layers = [
      await this.#libraryLayer(folder, architecture),
      await this.#programLayer(folder, program),
    ];
    this.#manifests.push(this.#manifest(architecture, layers));
  }

  /** Writes the archive of the layout. */
  async write(file: string): Promise<void> {
    const manifests = await Promise.all(this.#manifests);
    const index = { mediaType: `${MEDIA}.index.v1+json`, manifests, annotations: this.#labels };
    const name = { "io.containerd.image.name": `${IMAGE}:${this.release.version}` };
    const ref = { "org.opencontainers.image.ref.name": this.release.version };
    const top = { ...(await this.#json(index)), annotations: { ...name, ...ref } };
    const layout = join(this.folder, "layout");
    await Bun.write(join(layout, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [top] }));
    await Bun.write(join(layout, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
    const options = [...evenly(this.release), "--mode=u=rwX,go=rX"];
    await $`tar --create ${options} --file ${file} --directory ${layout} blobs index.json oci-layout`.quiet();
  }

  get #labels(): Record<string, string> {
    const { version, revision, time } = this.release;
    const made = { version, revision, created: new Date(time * 1000).toISOString() };
    const named = Object.entries(made).map(([name, value]) => [`org.opencontainers.image.${name}`, value]);
    return { ...this.#settings.Labels, ...Object.fromEntries(named) };
  }

  async #manifest(architecture: Architecture, tars: Uint8Array<ArrayBuffer>[]): Promise<Descriptor> {
    const layers = await Promise.all(
      tars.map(async (tar) => {
        // Level 19 takes twice as long, and gains 3 %.
        const bytes = await Bun.zstdCompress(tar, { level: 17 });
        return this.#blob(`${MEDIA}.layer.v1.tar+zstd`, bytes);
      }),
    );
    const created = new Date(this.release.time * 1000).toISOString();
    const config = await this.#json(
      {
        created,
        architecture,
        os: "linux",
        config: { ...this.#settings, Labels: this.#labels },
        rootfs: { type: "layers", diff_ids: tars.map(digest) },
        history: ["the C library of Debian", "stillup"].map((comment) => ({ created, comment })),
      },
      `${MEDIA}.config.v1+json`,
    );
    const manifest = { mediaType: `${MEDIA}.manifest.v1+json`, config, layers, annotations: this.#labels };
    return { ...(await this.#json(manifest)), platform: { architecture, os: "linux" } };
  }

  /** It changes with Debian: engines have it already when the next version of stillup comes. */
  async #libraryLayer(folder: string, architecture: Architecture): Promise<Uint8Array<ArrayBuffer>> {
    const root = join(folder, "libraries");
    await copyLibraries(architecture, { work: join(folder, "debian"), root });
    const options = [...evenly(this.release), "--mode=u=rwX,go=rX", "--directory", root];
    return new Uint8Array(await $`tar --create ${options} ${readdirSync(root)}`.quiet().arrayBuffer());
  }

  async #programLayer(folder: string, program: string): Promise<Uint8Array<ArrayBuffer>> {
    const root = join(folder, "program");
    mkdirSync(join(root, "usr/local/bin"), { recursive: true });
    mkdirSync(join(root, "var/lib/stillup"), { recursive: true });
    copyFileSync(program, join(root, "usr/local/bin/stillup"));
    const file = join(folder, "program.tar");
    const paths = ["usr", "usr/local", "usr/local/bin", "usr/local/bin/stillup", "var", "var/lib"];
    const first = [...evenly(this.release), "--mode=0755", "--no-recursion"];
    await $`tar --create ${first} --file ${file} --directory ${root} ${paths}`.quiet();
    const [owner = ""] = this.#settings.User.split(":");
    const volume = [...evenly({ ...this.release, owner: Number(owner) }), "--mode=0700"];
    await $`tar --append ${volume} --file ${file} --directory ${root} var/lib/stillup`.quiet();
    return Bun.file(file).bytes();
  }

  #json(value: Record<string, unknown>, mediaType = String(value.mediaType)): Promise<Descriptor> {
    const versioned = value.mediaType ? { schemaVersion: 2, ...value } : value;
    return this.#blob(mediaType, new TextEncoder().encode(JSON.stringify(versioned)));
  }

  async #blob(mediaType: string, bytes: Uint8Array): Promise<Descriptor> {
    const name = digest(bytes);
    await Bun.write(join(this.folder, "layout/blobs", name.replace(":", "/")), bytes);
    return { mediaType, digest: name, size: bytes.length };
  }
}

/**
 * Copies the C library of an architecture from its package, which apt checks, with the places where scanners of images look for
 * its version. The settings and lists of apt of this machine stay as they are.
 */
async function copyLibraries(
  architecture: Architecture,
  { work, root }: { work: string; root: string },
): Promise<void> {
  for (const folder of ["state/lists/partial", "cache/archives/partial", "unpacked"])
    mkdirSync(join(work, folder), { recursive: true });
  const options = {
    "Dir::State": join(work, "state"),
    "Dir::State::status": "/dev/null",
    "Dir::Cache": join(work, "cache"),
    "APT::Architecture": architecture,
    "APT::Architectures": architecture,
    "APT::Sandbox::User": "",
    "Acquire::Languages": "none",
  };
  const apt = [
    "apt-get",
    "-qq",
    ...Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
  ];
  for (const command of ["update", "download libc6"]) {
    const { exitCode, stderr } = await $`${apt} ${command.split(" ")}`.cwd(work).quiet().nothrow();
    if (exitCode !== 0) throw new Error(`apt-get ${command} for ${architecture} failed: ${stderr}`);
  }
  const [package_ = ""] = [...new Bun.Glob("libc6_*.deb").scanSync({ cwd: work, absolute: true })];
  const unpacked = join(work, "unpacked");
  await $`dpkg-deb --extract ${package_} ${unpacked}`.quiet();
  const libraries = LIBRARIES.map((name) => `lib/${MACHINES[architecture]}/${name}`);
  for (const path of [...libraries, LOADERS[architecture], "usr/share/doc/libc6/copyright"]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    copyFileSync(realpathSync(join(unpacked, path)), join(root, path));
    chmodSync(join(root, path), path.startsWith("lib") ? 0o755 : 0o644);
  }
  const { ID = "", VERSION_ID = "" } = osRelease();
  await Bun.write(join(root, "etc/os-release"), `ID=${ID}\nVERSION_ID="${VERSION_ID}"\n`);
  const status = await $`dpkg-deb --field ${package_}`.text();
  await Bun.write(join(root, "var/lib/dpkg/status.d/libc6"), status);
}

/** The settings of a Containerfile's last stage, in the form of the OCI. @throws for an instruction that it does not know */
function settings(containerfile: string) {
  const lines =
    containerfile
      .replaceAll("\\\n", " ")
      .split(/^FROM .*$/m)
      .at(-1) ?? "";
  const config = { User: "", Labels: {} as Record<string, string> };
  for (const [, instruction = "", words = ""] of lines.matchAll(/^([A-Z]+) (.*)$/gm)) {
    if (instruction === "COPY") continue;
    const set = INSTRUCTIONS[instruction];
    if (!set) throw new Error(`scripts/package/image.ts does not know ${instruction} of the Containerfile`);
    Object.assign(config, set(words));
  }
  return config;
}

const INSTRUCTIONS: Record<string, (words: string) => object> = {
  USER: (words) => ({ User: words }),
  ENV: (words) => ({ Env: words.split(" ") }),
  VOLUME: (words) => ({ Volumes: { [words]: {} } }),
  EXPOSE: (words) => ({ ExposedPorts: { [`${words}/tcp`]: {} } }),
  ENTRYPOINT: (words) => ({ Entrypoint: JSON.parse(words) }),
  CMD: (words) => ({ Cmd: JSON.parse(words) }),
  LABEL: (words) => ({
    Labels: Object.fromEntries(
      [...words.matchAll(/(\S+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  }),
  HEALTHCHECK: (words) => {
    const nanoseconds = (option: string) => Number(new RegExp(`--${option}=(\\d+)s`).exec(words)?.[1]) * 1e9;
    const [, command = "[]"] = / CMD (\[.*\])$/.exec(words) ?? [];
    return {
      Healthcheck: {
        Test: ["CMD", ...JSON.parse(command)],
        Interval: nanoseconds("interval"),
        Timeout: nanoseconds("timeout"),
        StartPeriod: nanoseconds("start-period"),
      },
    };
  },
};

/** Says which distribution this machine runs. */
function osRelease(): Record<string, string> {
  const lines = readFileSync("/etc/os-release", "utf8").matchAll(/^([A-Z_]+)="?([^"\n]*)"?$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

function digest(bytes: Uint8Array): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
}
