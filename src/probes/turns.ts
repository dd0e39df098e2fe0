import type { Closable } from "./lifetime.ts";
import type { ProbeContext } from "./observe.ts";

/** The part of a check that a turn needs. */
export type TurnTaker = Pick<ProbeContext, "lifetime" | "wait" | "leaveTarget" | "fail">;

interface Turn extends Closable {
  taker: TurnTaker;
  /** Until when nothing ends it, in milliseconds of `performance.now()`. */
  sureUntil: number;
}

interface Waiting {
  taker: TurnTaker;
  resolve: (turn: Turn) => void;
}

/** How long a turn lasts for sure, in milliseconds: large bodies of servers that are slow and healthy arrive within this time. */
const SURE = 3000;

const LARGE_ANSWER = "the answer is large, and other checks with large answers waited for theirs";

/**
 * Limits how many checks use much memory at a time, in the order in which they ask. The wait of a check does not count against its
 * target. While another check waits, a turn ends after 3 seconds, and with it its check, which is inconclusive (behavior 1.63):
 * a target that sends slowly keeps no other from its check.
 */
export class Turns {
  /** Oldest first. */
  private readonly held = new Set<Turn>();
  private readonly queue = new Set<Waiting>();
  private timer: Timer | undefined;
  private readonly sure: number;
  private readonly why: string;

  /** @param most how many turns there are at a time @param why the message of a check that a turn of another one ended */
  constructor(
    private readonly most: number,
    { sure = SURE, why = LARGE_ANSWER } = {},
  ) {
    this.sure = sure;
    this.why = why;
  }

  /** Waits for a turn. It lasts until it is closed, but not longer than the check. @throws if the check ends before */
  take(taker: TurnTaker): Promise<Closable> {
    if (this.held.size < this.most) return Promise.resolve(this.begin(taker));
    return taker.wait(() => this.enqueue(taker));
  }

  private begin(taker: TurnTaker): Turn {
    const sureUntil = performance.now() + this.sure;
    const turn: Turn = { taker, sureUntil, close: () => this.end(turn) };
    this.held.add(turn);
    taker.lifetime.add(turn);
    return turn;
  }

  private end(turn: Turn): void {
    if (!this.held.delete(turn)) return;
    const [next] = this.queue;
    if (!next) return;
    this.queue.delete(next);
    next.resolve(this.begin(next.taker));
  }

  private enqueue(taker: TurnTaker): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const waiting: Waiting = { taker, resolve };
    this.queue.add(waiting);
    taker.lifetime.add({
      close: () => {
        if (this.queue.delete(waiting)) reject(new Error("the check has ended"));
      },
    });
    this.watch();
    return promise;
  }

  /** Ends the turns that are too long. */
  private watch(): void {
    const [oldest] = this.held;
    if (this.timer || this.queue.size === 0 || !oldest) return;
    const wait = Math.max(0, Math.ceil(oldest.sureUntil - performance.now()));
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (oldest.sureUntil <= performance.now() && this.held.has(oldest)) this.cancel(oldest);
      this.watch();
    }, wait);
  }

  private cancel(turn: Turn): void {
    turn.taker.fail(new Error(this.why));
    turn.close();
  }
}
