import {
  type HeartbeatState,
  type RhythmConfig,
  silentHeartbeat,
} from "../../../src/domain/heartbeats/heartbeat.ts";
import { afterMiss, afterOutage } from "../../../src/domain/heartbeats/missed-runs.ts";
import { afterCheckin } from "../../../src/domain/heartbeats/reports.ts";
import { afterSetback } from "../../../src/domain/heartbeats/run-steps.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function at(time: string): number {
  return Date.parse(time);
}

/** A SCHEDULED monitor and its job, with a simulated clock. */
export class Walk {
  state: HeartbeatState = silentHeartbeat;
  misses: number[] = [];

  constructor(
    readonly config: RhythmConfig = {},
    public now = at("2027-01-04T00:00:00Z"),
  ) {}

  checkin(time: number = this.now): this {
    this.listen(time);
    this.state = afterCheckin(this.state, this.config, time);
    return this;
  }

  /** Check-ins, each after a gap. */
  checkins(...gaps: number[]): this {
    for (const gap of gaps) this.checkin(this.now + gap);
    return this;
  }

  every(gap: number, times: number): this {
    return this.checkins(...Array(times).fill(gap));
  }

  /** Advances the clock while stillup runs. */
  listen(until: number): this {
    this.take(afterMiss(this.state, this.config, { now: until }));
    this.now = until;
    return this;
  }

  /** Advances the clock during an outage of stillup. */
  down(until: number): this {
    this.take(afterOutage(this.state, this.config, { from: this.now, to: until }));
    this.now = until;
    return this;
  }

  /** Sets the clock back while stillup runs. */
  setBack(by: number): this {
    const to = this.now - by;
    this.state = afterSetback(this.state, this.config, { from: this.now, to });
    this.now = to;
    return this;
  }

  /** Time until the deadline. */
  get left(): number | null {
    return this.state.deadline === null ? null : this.state.deadline - this.now;
  }

  private take({ state, missedAt }: { state: HeartbeatState; missedAt: number[] }): void {
    this.state = state;
    this.misses.push(...missedAt);
  }
}
