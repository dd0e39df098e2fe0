import { type Found, type Reading, type Source, SourceFault } from "../../../src/domain/discovery/found.ts";
import type { SourceName } from "../../../src/domain/discovery/settings.ts";

/** The answer of a source, or why it can't be read. */
type Answer = Reading | { fault: string } | "stalls";

/** A source whose answer a test sets. */
export class StandInSource implements Source {
  reads = 0;
  answer: Answer = reading();
  readonly #watchers = new Set<() => void>();

  constructor(readonly name: SourceName = "docker") {}

  async read(signal: AbortSignal): Promise<Reading> {
    this.reads++;
    const { answer } = this;
    if (answer === "stalls")
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    if ("fault" in answer) throw new SourceFault(answer.fault);
    return answer;
  }

  watch(onChange: () => void): { stop(): void } {
    this.#watchers.add(onChange);
    return { stop: () => void this.#watchers.delete(onChange) };
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  change(): void {
    for (const onChange of this.#watchers) onChange();
  }
}

/** An entry of a monitor of a port. */
export function tcp(port: number, more: object = {}): object {
  return { type: "TCP", config: { host: "127.0.0.1", port, interval: 60 }, ...more };
}

export function reading(...found: Found[]): Reading {
  return { found, faults: [] };
}

/** Something that runs. @param entries by ref */
export function thing(name: string, entries: Record<string, object> = {}, more: Partial<Found> = {}): Found {
  const listed = Object.entries(entries).map(([ref, entry]) => ({ ref, entry }));
  return { name, entries: listed, isExcluded: false, isRunning: true, addresses: [], draft: null, ...more };
}
