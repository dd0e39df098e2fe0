import type { SeedJob, SeedReport } from "../seed-worker.ts";
import type { Request } from "./request.ts";

const WORKER = new URL("../seed-worker.ts", import.meta.url);

/** Runs all seeds, some of them at the same time. @returns by seed */
export async function runAll(
  { seeds, options, fault, workers }: Request,
  onReport: (report: SeedReport) => void,
) {
  const waiting = [...seeds];
  const reports: SeedReport[] = [];
  async function work(): Promise<void> {
    const worker = startWorker();
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const report = await ask(worker, { seed, options, fault });
      reports.push(report);
      onReport(report);
    }
    worker.terminate();
  }
  await Promise.all(Array.from({ length: workers }, work));
  return reports.sort((a, b) => a.seed - b.seed);
}

/** A thread that runs seeds, with one deliberate fault at most. */
export function startWorker(): Worker {
  return new Worker(WORKER);
}

export function ask(worker: Worker, job: SeedJob): Promise<SeedReport> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SeedReport>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`the worker of seed ${job.seed} ended: ${message}`));
    worker.postMessage(job);
  });
}
