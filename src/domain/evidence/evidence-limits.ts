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

/**
 * The parts of an answer that expectations read.
 *
 * @property size of the body in bytes @property ms how long the body took @property headerNames one a line
 */
interface ReadAnswer {
  size: number | undefined;
  ms: number | undefined;
  headerNames: string | undefined;
}

/** How many answers are known: more monitors than that have none, which is the same as after a restart. */
const MAX_ANSWERS = 100_000;

/** The last good answers, by monitor and location. They are in no database: a healthy check writes nothing. */
export class LastAnswers {
  readonly #answers = new Map<string, ReadAnswer>();

  find(monitorId: string, location: number): ReadAnswer | undefined {
    return this.#answers.get(`${monitorId} ${location}`);
  }

  note(monitorId: string, location: number, answer: ReadAnswer): void {
    const key = `${monitorId} ${location}`;
    if (this.#answers.size < MAX_ANSWERS || this.#answers.has(key)) this.#answers.set(key, answer);
  }
}
