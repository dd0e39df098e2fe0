import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import type { Ended } from "../product/binary.ts";
import { Client } from "../requests/client.ts";
import { isMissing } from "../requirements.ts";
import { tempDir } from "../temp-dir.ts";

/** Options of every start that the documentation recommends. Without the third, Podman adds writable directories for temporary files. */
export const HARDENED = [
  "--read-only",
  "--cap-drop=all",
  "--read-only-tmpfs=false",
  "--security-opt=no-new-privileges",
];

/** For a start under an emulator, in milliseconds. */
const START_WITHIN = 180_000;

const VOLUME = "/var/lib/stillup";

/** How a container is started. @property args options of `podman run` */
interface Start {
  image: string;
  args?: string[];
  /** The program that is run in place of the entry point, with its arguments. */
  command?: string[];
  network?: "bridge" | "host";
}

/** Podman with images, containers and volumes of its own. Needs root. */
export class Podman implements AsyncDisposable {
  readonly #dir = tempDir();
  readonly #volumes: string[] = [];
  readonly #networks: string[] = [];
  readonly #global: string[];

  private constructor(runtime: string) {
    const own = ["root", "run"].map((name) => join(this.#dir.path, name));
    for (const folder of own) mkdirSync(folder);
    this.#global = ["podman", `--root=${own[0]}`, `--runroot=${own[1]}`, `--runtime=${runtime}`];
  }

  /** An engine that can run containers on this machine with an archive of images, or `undefined`, which it prints. */
  static async create(archive: string): Promise<Podman | undefined> {
    if (isMissing(["podman"], { root: true })) return undefined;
    const failures: string[] = [];
    for (const runtime of ["crun", "runc"]) {
      if (Bun.which(runtime) === null) continue;
      const podman = new Podman(runtime);
      const images = await podman.load(archive);
      const { code, stderr } = await podman.call(["run", "--rm", ...LIMITS, images[0] ?? "", "version"]);
      if (code === 0) return podman;
      failures.push(stderr);
      await podman[Symbol.asyncDispose]();
    }
    process.stderr.write(
      `LEFT OUT: ${Bun.main} needs a Podman that can run containers: ${failures.join("; ")}\n`,
    );
    return undefined;
  }

  /** @returns the names of the images */
  async load(archive: string): Promise<string[]> {
    const { stdout } = await this.must(["load", "--quiet", "--input", archive]);
    return [...stdout.matchAll(/^Loaded image(?:\(s\))?: (.*)$/gm)].flatMap(([, names = ""]) =>
      names.split(","),
    );
  }

  /** Runs a command of Podman to its end. */
  async call(args: string[]): Promise<Ended> {
    const child = Bun.spawn([...this.#global, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, stdout, stderr };
  }

  /** @throws if the command fails */
  async must(args: string[]): Promise<Ended> {
    const ended = await this.call(args);
    if (ended.code !== 0) throw new Error(`podman ${args.join(" ")}: ${ended.stderr}`);
    return ended;
  }

  /** A new network, which goes with this engine. @returns its name */
  async network(subnet: string): Promise<string> {
    const name = `stillup-${process.pid}`;
    await this.must(["network", "create", `--subnet=${subnet}`, name]);
    this.#networks.push(name);
    return name;
  }

  /** A new volume. */
  async volume(): Promise<string> {
    const { stdout } = await this.must(["volume", "create"]);
    this.#volumes.push(stdout.trim());
    return stdout.trim();
  }

  /** The directory of a volume on this machine. */
  async directoryOf(volume: string): Promise<string> {
    const { stdout } = await this.must(["volume", "inspect", "--format={{.Mountpoint}}", volume]);
    return stdout.trim();
  }

  /** Starts a container in the background, and waits until stillup listens. */
  async serve({ image, args = [], command = [], network = "bridge" }: Start): Promise<Served> {
    const port = freePort();
    const reachable =
      network === "host"
        ? ["--network=host", `--env=STILLUP_PORT=${port}`]
        : [`--publish=127.0.0.1:${port}:7070`];
    const entry = command.length > 0 ? ["--entrypoint", JSON.stringify(command)] : [];
    const all = ["run", "--detach", ...LIMITS, ...reachable, ...entry, ...args, image];
    const { stdout } = await this.must([...all, ...(command.length > 0 ? ["serve"] : [])]);
    return this.served(stdout.trim(), `http://127.0.0.1:${port}`);
  }

  /** Starts a container with nothing else than these options. */
  async start({ image, args }: { image: string; args: string[] }): Promise<Served> {
    const { stdout } = await this.must(["run", "--detach", ...LIMITS, ...args, image]);
    return this.served(stdout.trim(), "");
  }

  private async served(id: string, url: string): Promise<Served> {
    const served = new Served(this, { id, url });
    await served.listens();
    return served;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.call(["rm", "--all", "--force", "--time=0"]);
    await this.call(["volume", "rm", "--force", ...this.#volumes]);
    for (const network of this.#networks) await this.call(["network", "rm", "--force", network]);
    await this.call(["rmi", "--all", "--force"]);
    this.#dir[Symbol.dispose]();
  }
}

/** Limits that each machine allows: those that Podman sets may be higher than what root may set here. */
export const LIMITS = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"];

/** A container in which stillup serves. */
export class Served {
  readonly id: string;
  readonly url: string;

  constructor(
    private readonly podman: Podman,
    { id, url }: { id: string; url: string },
  ) {
    this.id = id;
    this.url = url;
  }

  async listens(): Promise<void> {
    await eventually(async () => {
      const { stdout, stderr } = await this.podman.call(["logs", this.id]);
      if (/listening on http/.test(stdout)) return true;
      if ((await this.state("Running")) !== "true") throw new Error(`it has ended: ${stdout}${stderr}`);
      return false;
    }, START_WITHIN);
  }

  /** Runs a command in the container. */
  run(command: string[]): Promise<Ended> {
    return this.podman.call(["exec", this.id, ...command]);
  }

  state(name: "Running" | "ExitCode"): Promise<string> {
    return this.inspect(`{{.State.${name}}}`);
  }

  /** @param format a Go template */
  async inspect(format: string): Promise<string> {
    return (await this.podman.must(["inspect", `--format=${format}`, this.id])).stdout.trim();
  }

  /** A client with the owner key of the first start. @param volume its directory on this machine */
  async client(volume: string): Promise<Client> {
    return new Client(this.url, (await Bun.file(join(volume, "initial-owner-key")).text()).trim());
  }

  /** Stops it within its own time, and deletes it. @returns the exit code */
  async stop(): Promise<number> {
    await this.podman.must(["stop", this.id]);
    const code = Number(await this.state("ExitCode"));
    await this.podman.must(["rm", this.id]);
    return code;
  }

  /** Kills it, and deletes it. */
  async kill(): Promise<void> {
    await this.podman.must(["kill", this.id]);
    await this.podman.must(["rm", "--force", this.id]);
  }
}

/** The directory of the data in a container. */
export const mountOf = (volume: string) => `--volume=${volume}:${VOLUME}`;
