import type { Store } from "../../../src/store/store.ts";

type Pages = Store["pages"];

/** A store whose reads of public pages are counted, and can be delayed or fail. */
export class InterruptedStore {
  /** How often each read was called. */
  readonly calls = { findMarkers: 0, readFacts: 0, listSettledCounts: 0 };
  #error: Error | undefined;
  #held: PromiseWithResolvers<void> | undefined;

  constructor(private readonly store: Store) {}

  /** The reads of the public pages. */
  get reads(): Pick<Store, "pages" | "changes"> {
    const { pages, changes } = this.store;
    const read = <Name extends keyof typeof this.calls>(name: Name) =>
      (async (...given: Parameters<Pages[Name]>) => {
        this.calls[name]++;
        await this.#held?.promise;
        if (this.#error) throw this.#error;
        return (pages[name] as (...given: unknown[]) => unknown)(...given);
      }) as Pages[Name];
    return {
      changes,
      pages: {
        ...pages,
        findMarkers: read("findMarkers"),
        readFacts: read("readFacts"),
        listSettledCounts: read("listSettledCounts"),
      },
    };
  }

  /** Lets reads fail until the error is undefined. */
  failWith(error: Error | undefined): void {
    this.#error = error;
  }

  /** Lets reads wait. @returns lets them go on */
  hold(): () => void {
    const held = Promise.withResolvers<void>();
    this.#held = held;
    return () => {
      this.#held = undefined;
      held.resolve();
    };
  }

  /** The calls since the last time. */
  takeCalls(): typeof this.calls {
    const calls = { ...this.calls };
    Object.assign(this.calls, { findMarkers: 0, readFacts: 0, listSettledCounts: 0 });
    return calls;
  }
}
