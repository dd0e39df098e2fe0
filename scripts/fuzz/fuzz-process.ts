import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deliberateFault } from "./deliberate-faults.ts";
import { PROTOCOLS } from "./protocols.ts";
import { drawInput, type Range } from "./run-range.ts";
import type { RangeReport, Start } from "./worker.ts";

/** @property hang an input that takes so long hangs; milliseconds @property rss the most memory of a process, in bytes */
export interface Limits {
  hang: number;
  rss: number;
}

/** A process may wait for a core. */
const LIMITS: Limits = { hang: 120_000, rss: 768 * 1024 * 1024 };

const POLL_EVERY = 500;

/** A process that runs ranges of inputs. If it hangs, dies or takes too much memory, that is a failure of the input that runs. */
export class FuzzProcess implements AsyncDisposable {
  isAlive = true;
  private readonly limits: Limits;
  private readonly process: Bun.Subprocess;
  private readonly progress: DataView;
  private readonly ready = Promise.withResolvers<void>();
  private report = Promise.withResolvers<RangeReport>();

  /** @param file for the progress @param authority the file of the authority that the process trusts */
  constructor(file: string, { authority, fault }: { authority: string; fault: string | undefined }) {
    this.limits = { ...LIMITS, ...(fault !== undefined && deliberateFault(fault).limits) };
    writeFileSync(file, Buffer.alloc(8));
    this.progress = new DataView(Bun.mmap(file).buffer);
    const start: Start = { progress: file, fault };
    this.process = Bun.spawn([process.execPath, join(import.meta.dir, "worker.ts"), JSON.stringify(start)], {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: authority },
      ipc: (message) =>
        message === "ready" ? this.ready.resolve() : this.report.resolve(message as RangeReport),
    });
  }

  async run(range: Range): Promise<RangeReport> {
    const died = this.process.exited.then(
      (code) => `the process ended with ${this.process.signalCode ?? code}`,
    );
    await Promise.race([this.ready.promise, died]);
    this.report = Promise.withResolvers();
    if (this.process.exitCode === null) this.process.send(range);
    const watch = this.watch();
    try {
      const report = await Promise.race([this.report.promise, watch.failed, died]);
      return typeof report === "string" ? this.lost(range, report) : report;
    } finally {
      watch.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
    await this.process.exited;
  }

  private lost(range: Range, violation: string): RangeReport {
    this.isAlive = false;
    const index = this.progress.getFloat64(0);
    const drawn = PROTOCOLS[range.protocol];
    const input = range.input ?? (drawn && drawInput(drawn, range, index));
    const failures = [{ protocol: range.protocol, index, violation, input }];
    return { outcomes: {}, failures, trace: 0, rss: 0, cpu: 0 };
  }

  /** Reports a hang or too much memory. */
  private watch(): { failed: Promise<string>; end: () => void } {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { hang } = this.limits;
    let [index, since] = [-1, performance.now()];
    const timer = setInterval(() => {
      const now = this.progress.getFloat64(0);
      if (now !== index) [index, since] = [now, performance.now()];
      if (performance.now() - since > hang) resolve(`hangs: no end within ${hang / 1000} s`);
      const rss = rssOf(this.process.pid);
      if (rss > this.limits.rss) resolve(`too much memory: ${Math.round(rss / 1024 / 1024)} MiB`);
    }, POLL_EVERY);
    return { failed: promise, end: () => clearInterval(timer) };
  }
}

/** In bytes; 0 if this system does not say it. */
function rssOf(pid: number): number {
  try {
    const [, pages = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
    return pages * 4096;
  } catch {
    return 0;
  }
}
