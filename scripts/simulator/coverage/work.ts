import type { Stretch } from "../oracle/own-faults.ts";

/** Something that the server or a location waits for. @property to infinite if it never ended, because its process died */
export interface Work extends Stretch {
  name: string;
  /** The location whose process waits; the server if left out. */
  place?: string | undefined;
}

/** The work that lasts, and the calls of the store that something happened to. Written by the world. */
export class Interruptions {
  readonly work: Work[] = [];
  /** The methods of the store that a running server called. */
  readonly calls = new Set<string>();
  /** How often something happened to a call of the store, for example `killed before recording.record`. */
  readonly counts = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** @returns is called at its end */
  begin(name: string, place?: string): () => void {
    const one: Work = { name, place, from: this.now(), to: Number.POSITIVE_INFINITY };
    this.work.push(one);
    return () => {
      one.to = this.now();
    };
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
