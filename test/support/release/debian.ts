import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { eventually } from "../eventually.ts";
import { tempDir } from "../temp-dir.ts";

const KEPT = resolve(".tools/debian");

export interface Ran {
  code: number;
  /** Standard output and standard error. */
  printed: string;
}

/** A Debian created by debootstrap, with systemd as its first process and an isolated network. */
export class Debian implements AsyncDisposable {
  readonly #dir = tempDir();
  #machine: Bun.Subprocess | undefined;
  #first = 0;

  private constructor() {}

  static async create(): Promise<Debian> {
    const debian = new Debian();
    await $`cp --archive --reflink=auto ${await pristine()} ${debian.root}`.quiet();
    return debian;
  }

  /** Its root directory on the host. */
  get root(): string {
    return join(this.#dir.path, "root");
  }

  /** @throws if systemd does not start */
  async boot(): Promise<void> {
    const console = Bun.file(join(this.#dir.path, "console"));
    const quietly = ["--quiet", "--register=no", "--keep-unit", "--console=pipe"];
    this.#machine = Bun.spawn(
      ["systemd-nspawn", ...quietly, "--private-network", "--directory", this.root, "--boot"],
      { stdio: ["ignore", console, console] },
    );
    const { pid } = this.#machine;
    try {
      await eventually(async () => {
        this.#first = firstChild(pid);
        return /running|degraded/.test((await this.run("systemctl is-system-running")).printed);
      }, 300_000);
    } catch (cause) {
      throw new Error(`systemd did not start: ${await console.text()}`, { cause });
    }
  }

  /** Runs shell commands in it as root, while systemd runs. */
  async run(script: string): Promise<Ran> {
    return finished([...this.entry(), "sh", "-ec", `cd; ${script}`]);
  }

  /** The words before a command that runs in it as root, while systemd runs. */
  entry(): string[] {
    const enter = ["nsenter", `--target=${this.#first}`, "--all", "--root", "--wd"];
    return [...enter, "env", "-i", "HOME=/root", `PATH=${PATH}`];
  }

  /** Runs shell commands in it as root, while it is not booted. */
  async runAlone(script: string): Promise<Ran> {
    return finished([
      "unshare",
      "--mount",
      "--pid",
      "--fork",
      "--mount-proc",
      `--root=${this.root}`,
      "env",
      "-i",
      "HOME=/root",
      `PATH=${PATH}`,
      "sh",
      "-ec",
      `cd; ${script}`,
    ]);
  }

  /** Sends a request to a server in it. @returns the body */
  async fetch(url: string, options: string[] = []): Promise<string> {
    const { printed } = await finished([
      "nsenter",
      `--target=${this.#first}`,
      "--net",
      "curl",
      "--silent",
      "--show-error",
      "--max-time",
      "10",
      ...options,
      url,
    ]);
    return printed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // systemd-nspawn shuts down cleanly after this signal.
    this.#machine?.kill("SIGTERM");
    await this.#machine?.exited;
    this.#dir[Symbol.dispose]();
  }
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A minimal Debian with systemd. The next run uses it again, because its creation takes half a minute. */
async function pristine(): Promise<string> {
  if (existsSync(KEPT)) return KEPT;
  const { mirror, codename } = await ownSource();
  const partial = `${KEPT}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  await $`debootstrap --variant=minbase --include=systemd,systemd-sysv ${codename} ${partial} ${mirror}`.quiet();
  renameSync(partial, KEPT);
  return KEPT;
}

/** The package mirror of this machine. */
async function ownSource(): Promise<{ mirror: string; codename: string }> {
  const [, codename = ""] = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8")) ?? [];
  const targets = await $`apt-get indextargets --format ${"$(CODENAME) $(REPO_URI)"}`.text();
  const mirror = targets.split("\n").find((line) => line.startsWith(`${codename} `));
  if (!mirror) throw new Error(`apt has no source for ${codename}: run apt-get update`);
  return { codename, mirror: mirror.slice(codename.length + 1) };
}

function firstChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);
}

async function finished(command: string[]): Promise<Ran> {
  const child = Bun.spawn(["sh", "-c", 'exec "$@" 2>&1', "sh", ...command], { stdin: "ignore" });
  const printed = await new Response(child.stdout).text();
  return { code: await child.exited, printed: printed.trim() };
}
