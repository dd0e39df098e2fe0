import type { Cancel, Clock, Task } from "../../../src/clock.ts";
import type { TestClock } from "../clock.ts";

/** The moment at which a process ends: a call of the store, which has either no effect or all its effect. */
export interface DeathAt {
  /** How many calls from now. */
  call: number;
  effect: "none" | "all";
}

/** Whether a simulated process runs. After its end, its timers never fire and its calls never settle. */
export class Life {
  isOver = false;
  /** Runs at the end. */
  onEnd: () => void = () => {};
  #deathAt: DeathAt | undefined;
  readonly #ended = Promise.withResolvers<void>();

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#ended.resolve();
    this.onEnd();
  }

  /** Waits for work of the process, or for its end: what a process leaves undone never settles. */
  async during(work: Promise<unknown>): Promise<void> {
    await Promise.race([work, this.#ended.promise]);
  }

  endAt(deathAt: DeathAt): void {
    this.#deathAt = { ...deathAt };
  }

  /** Counts a call. @returns whether the process ends with this call */
  call(): DeathAt["effect"] | undefined {
    const deathAt = this.#deathAt;
    if (!deathAt || --deathAt.call > 0) return undefined;
    this.#deathAt = undefined;
    return deathAt.effect;
  }
}

/** A clock of a simulated process. Its user calls the periodic tasks. */
export interface MortalClock extends Clock {
  /** Runs the tasks of `every` once. */
  tick(): void;
}

export function mortalClock(clock: TestClock, life: Life): MortalClock {
  const periodic = new Set<Task>();
  const whileAlive = (task: Task) => () => (life.isOver ? undefined : task());
  return {
    now: clock.now,
    monotonic: clock.monotonic,
    sleep: (ms) => clock.sleep(ms).then(() => (life.isOver ? never() : undefined)),
    after: (ms, task) => clock.after(ms, whileAlive(task)),
    every(_, task): Cancel {
      const own = whileAlive(task);
      periodic.add(own);
      return () => void periodic.delete(own);
    },
    onJump: (listener) => clock.onJump((jump) => void whileAlive(() => listener(jump))()),
    tick() {
      for (const task of periodic) task();
    },
  };
}

/** A store of a simulated process. The clock waits for its I/O. */
export function mortalStore<Target extends object>(
  target: Target,
  { clock, life }: { clock: TestClock; life: Life },
): Target {
  const members = new Map<PropertyKey, unknown>();
  return new Proxy(target, {
    get(object, key) {
      if (!members.has(key)) members.set(key, mortal(Reflect.get(object, key)));
      return members.get(key);
    },
  });

  function mortal(member: unknown): unknown {
    if (typeof member === "object" && member !== null) return mortalStore(member, { clock, life });
    if (typeof member !== "function") return member;
    return (...given: unknown[]) => call(() => member(...given));
  }

  function call(method: () => unknown): unknown {
    const death = life.isOver ? "none" : life.call();
    if (death === "none") {
      life.end();
      return never();
    }
    const result = method();
    if (!(result instanceof Promise)) return result;
    const io = clock.track(result);
    if (death) {
      life.end();
      return never();
    }
    return io.then(
      (value) => (life.isOver ? never() : value),
      (error) => {
        if (life.isOver) return never();
        throw error;
      },
    );
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
