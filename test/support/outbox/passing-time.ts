import { describe, isDue, type ModelChannel, type Notification } from "./rules.ts";
import type { OutboxWorld } from "./world.ts";

const SECOND = 1000;

/** Milliseconds after an attempt has ended in which its outcome is written and the next attempt starts. */
export const SCAN = 15;

/** How long something due may wait: until the next second, and for a scan. */
const PROMPT = SECOND + 100;

/** How much time passes at once while results are held: in each second the recorder tries to write them. */
export const MAX_HOLD = 60 * SECOND;

/** Lets time pass, and asserts that attempts are made in time. */
export class PassingTime {
  /** Since when each delivery is due and not tried; milliseconds of the monotonic clock. */
  readonly #waiting = new Map<ModelChannel, { notification: Notification; since: number }>();

  constructor(private readonly world: OutboxWorld) {}

  /**
   * Lets the dispatcher scan in each second. While nothing happens, most seconds are left out, but never the second in
   * which the next attempt is due and the one before.
   */
  async pass(ms: number): Promise<void> {
    const { world } = this;
    const { clock, rules } = world;
    const end = clock.monotonic() + (world.recordings.areHeld ? Math.min(ms, MAX_HOLD) : ms);
    let gap = SECOND;
    for (let tick = this.#next(gap); tick <= end && !world.instance.life.isOver; tick = this.#next(gap)) {
      await clock.advance(tick - clock.monotonic());
      const { starts } = world;
      // Results that were written before this second are known when it decides.
      world.recordings.noteWritten();
      world.instance.clock.tick();
      world.review();
      await clock.advance(SCAN);
      world.recordings.noteWritten();
      if (rules.syncsFail) world.review();
      world.noteOutcomes();
      this.assertPrompt();
      const isRunning = rules.channels.some(({ attempt }) => attempt && !attempt.ended);
      gap = isRunning || starts !== world.starts || world.recordings.areHeld ? SECOND : 2 * gap;
    }
    await clock.advance(Math.max(0, end - clock.monotonic()));
  }

  /** The next scan at the latest after a gap; milliseconds of the monotonic clock. */
  #next(gap: number): number {
    const { clock, rules, instance } = this.world;
    const now = clock.monotonic();
    const tickFrom = (at: number) =>
      instance.startedAt + Math.ceil((Math.max(at, now + 1) - instance.startedAt) / SECOND) * SECOND;
    const due = rules.untilDue(clock.now()) ?? Number.POSITIVE_INFINITY;
    return Math.min(
      ...[tickFrom(now + gap - SECOND), tickFrom(now + due - SECOND), tickFrom(now + due)].filter(
        (tick) => tick < Number.POSITIVE_INFINITY,
      ),
    );
  }

  /** @throws Error if something due was not tried within a second (behavior 5.11, 5.13) */
  assertPrompt(): void {
    const { clock, rules, faults, instance } = this.world;
    if (faults.length > 0) throw faults[0];
    if (instance.life.isOver) return;
    for (const channel of rules.channels) {
      const notification = rules.ready(channel);
      if (!notification || !isDue(notification, clock.now())) {
        this.#waiting.delete(channel);
        continue;
      }
      const waiting = this.#waiting.get(channel);
      if (waiting?.notification !== notification)
        this.#waiting.set(channel, { notification, since: clock.monotonic() });
      else if (clock.monotonic() - waiting.since > PROMPT)
        throw new Error(`${describe(notification)} was due, but was not tried within a second (5.11, 5.13)`);
    }
  }

  /** A new process gets its own second. */
  restart(): void {
    this.#waiting.clear();
  }
}
