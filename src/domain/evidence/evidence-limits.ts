/** How many checks of a location give whole evidence: of the others, only the layer and the summary are kept (behavior 22.6). */
const AT_ONCE = 8;
const PER_MINUTE = 120;

const MINUTE = 60_000;

/** A look ends within this time; milliseconds. */
export const LOOK_WITHIN = 5000;

/** Bounds the evidence of each location, so that a storm costs no check. Times are milliseconds since 1970. */
export class EvidenceBudget {
  /** When evidence of each location was made within the last minute. */
  readonly #made = new Map<number, number[]>();
  /** When each look that is under way began, by the ID of its evidence. */
  readonly #looks = new Map<number, Map<string, number>>();

  /** Whether whole evidence may be kept. Then a look at it is under way. */
  take(location: number, id: string, now: number): boolean {
    const made = (this.#made.get(location) ?? []).filter((at) => at > now - MINUTE && at <= now);
    const looks = this.#looks.get(location) ?? new Map<string, number>();
    for (const [one, at] of looks) if (at <= now - LOOK_WITHIN || at > now) looks.delete(one);
    const isAllowed = made.length < PER_MINUTE && looks.size < AT_ONCE;
    if (isAllowed) {
      made.push(now);
      looks.set(id, now);
    }
    this.#made.set(location, made);
    this.#looks.set(location, looks);
    return isAllowed;
  }

  /** The look has ended, or there is none. */
  end(location: number, id: string): void {
    this.#looks.get(location)?.delete(id);
  }
}

/** A body that an expectation read. @property size in bytes @property ms how long it took, if that is known */
interface ReadBody {
  size: number;
  ms: number | undefined;
}

/** How many bodies are known: more monitors than that have none, which is the same as after a restart. */
const MAX_BODIES = 100_000;

/** The last good bodies, by monitor and location. They are in no database: a healthy check writes nothing. */
export class LastBodies {
  readonly #bodies = new Map<string, ReadBody>();

  find(monitorId: string, location: number): ReadBody | undefined {
    return this.#bodies.get(`${monitorId} ${location}`);
  }

  note(monitorId: string, location: number, body: ReadBody): void {
    const key = `${monitorId} ${location}`;
    if (this.#bodies.size < MAX_BODIES || this.#bodies.has(key)) this.#bodies.set(key, body);
  }
}
