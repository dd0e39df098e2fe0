import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Said } from "../judge/run.ts";
import type { Product } from "../run/product.ts";
import type { Witness } from "../run/witness.ts";
import type { World } from "../world/world.ts";
import { ruleOf } from "./monit-rule.ts";
import { useResolver } from "./resolver.ts";

/** The package and its program. */
export const MONIT = "monit";

/** Debian's monit, a process for each monitor. Its log says each check that fails, and each recovery. It has no history of others. */
export async function startMonit(program: string, world: World, witness: Witness): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "obstacles-monit-"));
  const authority = join(folder, "authority.pem");
  await Bun.write(authority, world.certificates.authority);
  const resolver = await useResolver(folder, world);
  const watched = new Map<string, { child: Bun.Subprocess; status: string }>();

  async function start(id: string, rule: string, hear: (said: Said) => void): Promise<void> {
    const files = ["pid", "id", "state"].map((name) => `set ${name}file ${join(folder, `${id}.${name}`)}`);
    const config = join(folder, id);
    await Bun.write(config, [...files, rule].join("\n"));
    await chmod(config, 0o600);
    // Failures are written to one stream, and recoveries to the other.
    const streams = { stdout: "pipe", stderr: "pipe" } as const;
    const child = Bun.spawn([program, "-I", "-c", config], streams);
    const one = { child, status: "up" };
    watched.set(id, one);
    const read = async (stream: ReadableStream<Uint8Array>) => {
      for await (const bytes of stream) {
        for (const line of new TextDecoder().decode(bytes).split("\n")) {
          const status = statusIn(line);
          if (!status || status === one.status) continue;
          one.status = status;
          hear({ status, at: Date.now(), checkedAt: Date.now(), id: crypto.randomUUID() });
        }
      }
    };
    void read(child.stdout);
    void read(child.stderr);
  }

  async function end(id: string): Promise<void> {
    const child = watched.get(id)?.child;
    child?.kill();
    await child?.exited;
  }

  return {
    createChannel: async () => "",
    async createMonitor(name, monitor) {
      const rule = ruleOf(monitor, authority);
      if (!rule) throw new Error(`${name} can't be expressed`);
      const id = crypto.randomUUID();
      await start(id, rule, (said) => witness.hear(name, said));
      return { id };
    },
    resultsOf: async () => undefined,
    statusOf: async (id) => watched.get(id)?.status ?? "unknown",
    adviceOf: async () => [],
    deleteMonitor: end,
    signal() {},
    async [Symbol.asyncDispose]() {
      await Promise.all([...watched.keys()].map(end));
      resolver[Symbol.dispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns undefined if the line is about something else, or about a failure that is not confirmed yet */
function statusIn(line: string): string | undefined {
  if (/^'it' connection succeeded/.test(line)) return "up";
  return /^'it' failed protocol test/.test(line) ? "down" : undefined;
}
