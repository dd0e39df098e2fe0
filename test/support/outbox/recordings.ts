import type { Recorded } from "../../../src/domain/monitors/recording-plan.ts";
import { findSaved } from "./comparison.ts";
import type { ModelMonitor } from "./rules.ts";
import { type MonitorSlot, recordingOf } from "./slots.ts";
import type { OutboxWorld } from "./world.ts";

interface Result {
  monitor: ModelMonitor;
  status: string;
  at: number;
  revision: number;
}

/** The results that are given to the recorder. It writes them, holds them in memory or rejects them (behavior 1.50). */
export class Recordings {
  /** Recordings without an answer of the recorder. */
  readonly #unanswered = new Set<Result>();
  /** Recordings in the memory of the recorder. */
  #held: Result[] = [];

  constructor(private readonly world: OutboxWorld) {}

  get areHeld(): boolean {
    return this.#held.length > 0;
  }

  add(slot: MonitorSlot, status: string): void {
    const { world } = this;
    const { model: monitor, kind } = slot;
    const result = { monitor, status, at: world.clock.now(), revision: monitor.revision };
    this.#unanswered.add(result);
    // After a crash, another process answers.
    const isAnswered = () => this.#unanswered.delete(result);
    const recording = recordingOf(slot, status, result.at);
    world.instance.recorder.record(recording, { isTransition: true }).then(
      (recorded) => world.judge(() => isAnswered() && this.#accept(result, recorded)),
      (error) => world.judge(() => isAnswered() && this.#reject(result, kind === "SCHEDULED", error)),
    );
  }

  #accept(result: Result, recorded: Recorded | "held" | null): void {
    if (recorded === "held") this.#held.push(result);
    this.noteWritten();
    if (recorded === "held") return;
    if (recorded?.status !== result.status)
      throw new Error(`${result.status} was recorded as ${recorded?.status}`);
    this.#apply(result);
    this.#review();
  }

  #reject(result: Result, isCheckin: boolean, error: unknown): void {
    const { diskFails, rules } = this.world;
    if (!isCheckin || !(diskFails || rules.syncsFail)) throw error;
    // Committed, but perhaps not on the disk: the job is to check in again.
    if (!diskFails) this.#apply(result);
  }

  /** Applies the results that the recorder no longer holds. */
  noteWritten(): void {
    const written = this.#held.splice(0, this.#held.length - this.world.instance.recorder.held());
    for (const result of written) if (isCurrent(result)) this.#apply(result);
    if (written.length > 0) this.#review();
  }

  /** A result that is not on the disk yet wakes nothing. */
  #review(): void {
    if (!this.world.rules.syncsFail) this.world.review();
  }

  #apply({ monitor, status, at }: Result): void {
    this.world.rules.record(monitor, status, at);
  }

  assertAnswered(): void {
    if (this.#unanswered.size > 0) throw new Error("the recorder did not answer");
  }

  /** After a crash, each result without an answer or in memory is either written or lost. */
  async findWritten(): Promise<void> {
    const uncertain = [...this.#held, ...this.#unanswered].filter(isCurrent);
    this.#held = [];
    this.#unanswered.clear();
    const found: { id: string; result: Result }[] = [];
    for (const [monitor, results] of Map.groupBy(uncertain, (one) => one.monitor)) {
      const saved = await findSaved(this.world.instance.store, monitor);
      for (const [at, { id }] of saved.slice(monitor.results.length).entries()) {
        const result = results[at];
        if (!result) throw new Error("a result exists that nobody recorded");
        found.push({ id, result });
      }
    }
    for (const { result } of found.sort((a, b) => (a.id < b.id ? -1 : 1))) this.#apply(result);
  }
}

/** Whether a result is still valid: its monitor exists and was not changed since (behavior 1.14). */
function isCurrent({ monitor, revision }: Result): boolean {
  return monitor.exists && monitor.revision === revision;
}
