import { noLatency } from "../../../src/domain/checks/latency-baseline.ts";
import {
  afterPause,
  type HeartbeatState,
  judgedAt,
  lateAt,
  silentHeartbeat,
} from "../../../src/domain/heartbeats/heartbeat.ts";
import type { RunChange, RunReport } from "../../../src/domain/heartbeats/job-runs.ts";
import { afterEdit, afterResume } from "../../../src/domain/heartbeats/run-steps.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import { judgeEvent, type MonitorEvent, type NewResult } from "../../../src/domain/monitors/monitor-event.ts";
import { at, MINUTE } from "./walk.ts";

type Config = Partial<MonitorConfig<"SCHEDULED">>;

/** A job that reports its runs to a SCHEDULED monitor, with a simulated clock. Missed runs and overruns are judged on time. */
export class JobWalk {
  heartbeat: HeartbeatState = silentHeartbeat;
  enabled = true;
  readonly results: NewResult[] = [];
  readonly changes: RunChange[] = [];
  readonly begunAt: number;
  readonly #windows: { from: number; to: number }[] = [];

  constructor(
    private config: Config = {},
    public now = at("2027-01-04T00:00:00Z"),
  ) {
    this.begunAt = now;
  }

  start(rid?: string, output?: string): this {
    return this.take({ kind: "start", at: this.now, report: reportOf(rid, { output }) });
  }

  /** A check-in. @param code its exit code; undefined: without one */
  end(rid?: string, { code, output }: { code?: number; output?: string } = {}): this {
    const status = code ? "fail" : "ok";
    return this.take({ kind: "checkin", status, at: this.now, report: reportOf(rid, { code, output }) });
  }

  log(output: string, rid?: string): this {
    return this.take({ kind: "log", at: this.now, report: reportOf(rid, { output }) });
  }

  /** Runs that take some time each, a period from start to start. */
  runs(times: number, { period, length }: { period: number; length: number }): this {
    for (let done = 0; done < times; done++)
      this.start()
        .wait(length)
        .end()
        .wait(period - length);
    return this;
  }

  wait(time: number): this {
    return this.until(this.now + time);
  }

  until(moment: number): this {
    for (;;) {
      const due = judgedAt(this.heartbeat, this.#config);
      if (due === null || due >= moment) break;
      this.now = due + 1;
      this.take({ kind: "silence", at: this.now });
    }
    this.now = Math.max(this.now, moment);
    return this;
  }

  /** No server runs for some time. */
  down(time: number): this {
    const from = this.now;
    this.now += time;
    return this.take({ kind: "outage", from, at: this.now });
  }

  /** The clock jumps ahead while the server runs. */
  jump(by: number): this {
    const from = this.now;
    this.now += by;
    return this.take({ kind: "outage", from, at: this.now, jump: by });
  }

  /** A maintenance, in minutes since the start. */
  maintenance(fromMinute: number, toMinute: number): this {
    this.#windows.push({ from: this.begunAt + fromMinute * MINUTE, to: this.begunAt + toMinute * MINUTE });
    return this;
  }

  setBack(by: number): this {
    const from = this.now;
    this.now -= by;
    return this.take({ kind: "setback", from, at: this.now });
  }

  pause(): this {
    this.enabled = false;
    this.heartbeat = afterPause(this.heartbeat);
    return this;
  }

  resume(): this {
    this.enabled = true;
    this.heartbeat = afterResume(this.heartbeat, this.#config, this.now);
    return this;
  }

  edit(config: Config): this {
    const before = this.#config;
    this.config = config;
    this.heartbeat = afterEdit(this.heartbeat, { before, after: this.#config }, this.now);
    return this;
  }

  /** The results of trouble that the job did not report itself, with their minute since the start. */
  get troubles(): string[] {
    return this.results
      .filter(({ status, detail }) => status === "havent_heard" || typeof detail?.reason === "string")
      .map(({ status, detail, createdAt }) => `${detail?.reason ?? status} ${this.minuteOf(createdAt)}`);
  }

  /** How each run ended, by its number; `open` without an end. */
  get outcomes(): Record<number, string> {
    const outcomes: Record<number, string> = {};
    for (const change of this.changes) {
      if (change.kind === "started") outcomes[change.number] = "open";
      if (change.kind === "ended" || change.kind === "noted") outcomes[change.number] = change.outcome;
    }
    return outcomes;
  }

  /** The output of each run that is kept, by its number. */
  get outputs(): Record<number, string> {
    const outputs: Record<number, string> = {};
    for (const change of this.changes)
      if (change.kind === "output")
        outputs[change.number] = (outputs[change.number] ?? "") + new TextDecoder().decode(change.output);
    return outputs;
  }

  /** Minutes until the job is late. */
  get left(): number | null {
    const late = lateAt(this.heartbeat, this.#config);
    return late === null ? null : (late - this.now) / MINUTE;
  }

  minuteOf(time: number): number {
    return (time - this.begunAt) / MINUTE;
  }

  take(event: MonitorEvent): this {
    const judged = judgeEvent(
      {
        ...{ type: "SCHEDULED", status: "ok", memory: null, baseline: noLatency },
        ...{ config: this.#config, enabled: this.enabled, heartbeat: this.heartbeat },
        windowEnd: (at) => this.#windows.find(({ from, to }) => from <= at && at < to)?.to ?? null,
      },
      event,
    );
    this.results.push(...judged.results);
    this.changes.push(...(judged.runs ?? []));
    this.heartbeat = judged.heartbeat;
    return this;
  }

  get #config(): MonitorConfig<"SCHEDULED"> {
    return { interval: 300, ...this.config };
  }
}

function reportOf(
  rid: string | undefined,
  { code, output }: { code?: number | undefined; output?: string | undefined },
): RunReport {
  return {
    ...(rid !== undefined && { rid }),
    ...(code !== undefined && { exitCode: code }),
    ...(output !== undefined && { output: new TextEncoder().encode(output) }),
  };
}
