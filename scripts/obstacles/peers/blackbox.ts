import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../test/support/free-port.ts";
import type { Recorded } from "../judge/run.ts";
import type { Product } from "../run/product.ts";
import type { Witness } from "../run/witness.ts";
import type { Monitor } from "../scenario.ts";
import type { World } from "../world/world.ts";
import { moduleOf, type Probe } from "./blackbox-module.ts";
import { useResolver } from "./resolver.ts";
import { StatusOfPeer } from "./status-of-peer.ts";

/** The package and its program. */
export const BLACKBOX = "prometheus-blackbox-exporter";

/** How long before its end a certificate expires soon, as for stillup; milliseconds. */
const SOON = 14 * 24 * 3600 * 1000;

/**
 * Debian's blackbox_exporter. It has no interval and no alerts, so the course asks it once per interval, confirms as stillup
 * would, and says at once what changed.
 */
export async function startBlackbox(program: string, world: World, witness: Witness): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "obstacles-blackbox-"));
  const [authority, config] = [join(folder, "authority.pem"), join(folder, "blackbox.yml")];
  const resolver = await useResolver(folder, world);
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const modules: Record<string, unknown> = { none: { prober: "tcp" } };
  // JSON is YAML.
  const write = () => Bun.write(config, JSON.stringify({ modules }));
  await Promise.all([Bun.write(authority, world.certificates.authority), write()]);
  const child = Bun.spawn([program, `--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`], {
    stdout: "ignore",
    stderr: Bun.file(join(folder, "log")),
  });
  await listens(url, child);
  const watched = new Map<string, { status: StatusOfPeer; timer: NodeJS.Timeout }>();
  let reloading = Promise.resolve();

  async function probe({ target }: Probe, id: string, { type }: Monitor): Promise<Recorded> {
    const query = new URLSearchParams({ target, module: id });
    const text = await fetch(`${url}/probe?${query}`).then((response) => response.text());
    const metric = (name: string) => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
    const ends = 1000 * metric("probe_ssl_earliest_cert_expiry");
    const left = type === "TLS" ? ends - Date.now() : Number.NaN;
    const isGood = metric("probe_success") === 1 && !(left <= 0);
    return { status: isGood ? (left < SOON ? "expiring_soon" : "up") : "down", createdAt: Date.now() };
  }

  return {
    createChannel: async () => "",
    async createMonitor(name, monitor) {
      const id = crypto.randomUUID();
      const wanted = moduleOf(monitor, { authority, dns: `${world.dns.address}:${world.dns.port}` });
      if (!wanted) throw new Error(`${name} can't be expressed`);
      modules[id] = wanted.module;
      reloading = reloading.then(write).then(() => reload(url));
      await reloading;
      const status = new StatusOfPeer(monitor, (said) => witness.hear(name, said));
      const check = () =>
        probe(wanted, id, monitor).then(
          (result) => status.record(result),
          () => {},
        );
      watched.set(id, { status, timer: setInterval(check, Number(monitor.config.interval) * 1000) });
      void check();
      return { id };
    },
    resultsOf: async (id, until) =>
      watched.get(id)?.status.results.filter(({ createdAt }) => createdAt <= until) ?? [],
    statusOf: async (id) => watched.get(id)?.status.current ?? "unknown",
    adviceOf: async () => [],
    async deleteMonitor(id) {
      clearInterval(watched.get(id)?.timer);
      delete modules[id];
    },
    async [Symbol.asyncDispose]() {
      for (const { timer } of watched.values()) clearInterval(timer);
      child.kill();
      await child.exited;
      resolver[Symbol.dispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function reload(url: string): Promise<void> {
  const { status } = await fetch(`${url}/-/reload`, { method: "POST" });
  if (status !== 200) throw new Error(`blackbox_exporter refused a module with ${status}`);
}

async function listens(url: string, child: Bun.Subprocess): Promise<void> {
  const until = performance.now() + 10_000;
  while (performance.now() < until && child.exitCode === null) {
    if (await fetch(`${url}/-/healthy`).catch(() => null)) return;
    await Bun.sleep(50);
  }
  throw new Error("blackbox_exporter does not listen");
}
