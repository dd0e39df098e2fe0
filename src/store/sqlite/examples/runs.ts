import { eq } from "drizzle-orm";
import { silentHeartbeat } from "../../../domain/heartbeats/heartbeat.ts";
import { type JobRuns, noRuns } from "../../../domain/heartbeats/job-runs.ts";
import type { Database } from "../database.ts";
import { jobRuns, monitorStates, runOutputs } from "../schema.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** How long the nightly runs took, oldest first, in seconds. They grow with the data. */
const LENGTHS = [
  ...[402, 411, 398, 420, 407, 415, 431, 419, 428, 436, 425, 440, 433],
  ...[447, 438, 612, 451, 444, 459, 448, 462, 455, 470, 466],
];

/** The nights ago of the run that failed. */
const FAILED = 3;

const OUTPUT = `\x1b[1mBackup of /srv\x1b[0m
12,480 files, 38.2 GB
\x1b[33mwarning:\x1b[0m /srv/shop/cache changed while it was read
uploaded 1.4 GB of changes
\x1b[32mdone\x1b[0m
`;
const FAILED_OUTPUT = `\x1b[1mBackup of /srv\x1b[0m
12,431 files, 38.0 GB
\x1b[31merror:\x1b[0m upload: connection reset after 812 MB
`;

/** Gives a job nightly runs, of which one failed. @param now milliseconds since 1970 */
export function createExampleRuns(db: Database, monitorPk: number, now: number): void {
  const lastStart = Math.floor(now / DAY) * DAY + 60 * MINUTE;
  const nightOf = lastStart < now - 10 * MINUTE ? lastStart : lastStart - DAY;
  const lengths: number[] = [];
  for (const [at, seconds] of LENGTHS.entries()) {
    const number = at + 1;
    const nightsAgo = LENGTHS.length - number;
    const isFailed = nightsAgo === FAILED;
    const startedAt = nightOf - nightsAgo * DAY + 412;
    const durationMs = isFailed ? 168 * SECOND : seconds * SECOND;
    if (!isFailed) lengths.push(durationMs);
    const end = { endedAt: startedAt + durationMs, durationMs, exitCode: isFailed ? 3 : 0 };
    db.insert(jobRuns)
      .values({ monitorPk, number, startedAt, outcome: isFailed ? "failed" : "ok", ...end })
      .run();
    db.insert(runOutputs)
      .values({ monitorPk, number, output: Buffer.from(isFailed ? FAILED_OUTPUT : OUTPUT) })
      .run();
  }
  const runs: JobRuns = { ...noRuns, last: LENGTHS.length, lengths: lengths.slice(-20), paired: 3 };
  const { deadline: _, ...silent } = silentHeartbeat;
  const rhythm = { ...silent, lastCheckinAt: nightOf + (LENGTHS.at(-1) ?? 0) * SECOND, runs };
  db.update(monitorStates).set({ rhythm }).where(eq(monitorStates.monitorPk, monitorPk)).run();
}
