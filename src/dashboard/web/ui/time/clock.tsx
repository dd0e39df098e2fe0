import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";

const TICK = 5000;

/** The current time, updated every few seconds for all who show it. */
class Clock {
  /** Milliseconds since 1970. */
  now = Date.now();
  readonly #listeners = new Set<() => void>();

  /** @returns a function that stops the clock */
  start(): () => void {
    const timer = setInterval(() => {
      this.now = Date.now();
      for (const listener of this.#listeners) listener();
    }, TICK);
    return () => clearInterval(timer);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

const Current = createContext<Clock | null>(null);

export function ClockProvider({ children }: { children: ReactNode }) {
  const [clock] = useState(() => new Clock());
  useEffect(() => clock.start(), [clock]);
  return <Current value={clock}>{children}</Current>;
}

/** What `read` returns for the current time. The component renders again only if that changes. */
export function useClock<Value>(read: (now: number) => Value): Value {
  const clock = useContext(Current);
  if (!clock) throw new Error("a time needs a ClockProvider around it");
  return useSyncExternalStore(clock.subscribe, () => read(clock.now));
}
