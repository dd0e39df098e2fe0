import type { Ledger, SimOnCall, SimRequest, SimSchedule } from "../../ledger.ts";
import { type Available, type Walks, walksThrough } from "./turns.ts";

/** People and schedules at a time, from the scenario and the requests until then. People who were deleted are not among them. */
export interface State {
  people: ReadonlyMap<string, SimOnCall["people"][number]>;
  schedules: ReadonlyMap<string, SimSchedule>;
}

/** @property from when a request may have led to it @property surely from when on it surely had */
interface Version {
  from: number;
  surely: number;
  state: State;
}

/** A request is decided within this time; milliseconds. */
const NEAR = 2000;

/** Who is on call in the schedules of a run, whatever operators changed meanwhile. */
export class Rosters {
  /** When requests may have changed people or schedules, by time. */
  readonly changes: readonly number[];
  readonly #versions: Version[];
  readonly #walks: Walks;
  readonly #defaults: string[];

  constructor({ scenario, requests }: Pick<Ledger, "scenario" | "requests">, onCall: SimOnCall) {
    this.#walks = walksThrough(scenario);
    this.#defaults = onCall.defaults;
    let state: State = {
      people: new Map(onCall.people.map((person) => [person.name, person])),
      schedules: new Map(onCall.schedules.map((schedule) => [schedule.name, schedule])),
    };
    this.#versions = [{ from: Number.NEGATIVE_INFINITY, surely: Number.NEGATIVE_INFINITY, state }];
    const accepted = requests.filter((one) => one.accepted).toSorted((a, b) => a.to - b.to);
    for (const { request, from, to } of accepted) {
      const next = changed(state, request);
      if (next === state) continue;
      state = next;
      this.#versions.push({ from: from - NEAR, surely: to + NEAR, state });
    }
    // A request that waited for a server may have had its effect at any attempt.
    for (const [place, version] of [...this.#versions.entries()].reverse())
      version.from = Math.min(version.from, this.#versions[place + 1]?.from ?? version.from);
    this.changes = this.#versions.slice(1).map(({ surely }) => surely);
  }

  /** The states one after the other. @property surely from when on the server surely has it */
  states(): { surely: number; state: State }[] {
    return this.#versions.map(({ surely, state }) => ({ surely, state }));
  }

  /** The name of whoever is on call; null if nobody is. After a request, it may be either for a moment: this is the later one. */
  personAt(schedule: string, at: number): string | null {
    const version = this.#versions[this.#newest(at)];
    return (version && this.#personIn(version.state, schedule, at)) ?? null;
  }

  /** The channels that a schedule notifies at a moment: of the person who is on call, or the default ones. Several sets if it is not clear. */
  channelsAt(schedule: string, at: number): string[][] {
    const sets: string[][] = [];
    for (let place = this.#newest(at); place >= 0; place--) {
      const version = this.#versions[place];
      if (!version) break;
      const person = version.state.people.get(this.#personIn(version.state, schedule, at) ?? "");
      sets.push(person && person.channels.length > 0 ? person.channels : this.#defaults);
      if (version.surely <= at) break;
    }
    return sets;
  }

  #personIn({ schedules, people }: State, schedule: string, at: number): string | null {
    const found = schedules.get(schedule);
    return found ? this.#walks.personAt(found, people, at) : null;
  }

  /** The place of the newest version that may be the present one. */
  #newest(at: number): number {
    let [low, high] = [0, this.#versions.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#versions[middle]?.from ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** @returns the same state if a request changes neither people nor schedules */
function changed(state: State, request: SimRequest): State {
  const { people, schedules } = state;
  const withPerson = (name: string, changes: Partial<Available & { channels: string[] }>): State => {
    const person = people.get(name);
    return person ? { people: new Map(people).set(name, { ...person, ...changes }), schedules } : state;
  };
  const withSchedule = (name: string, change: (schedule: SimSchedule) => Partial<SimSchedule>): State => {
    const schedule = schedules.get(name);
    if (!schedule) return state;
    return { people, schedules: new Map(schedules).set(name, { ...schedule, ...change(schedule) }) };
  };
  switch (request.kind) {
    case "disable person":
      return withPerson(request.person, { isDisabled: true });
    case "enable person":
      return withPerson(request.person, { isDisabled: false });
    case "own channels":
      return withPerson(request.person, { channels: request.channels });
    case "delete person": {
      const left = new Map(people);
      left.delete(request.person);
      return { people: left, schedules };
    }
    case "change layers":
      return withSchedule(request.schedule, () => ({ layers: request.layers }));
    case "create override":
      return withSchedule(request.schedule, ({ overrides }) => ({
        overrides: [...overrides, request.override],
      }));
    case "delete override":
      return withSchedule(request.schedule, ({ overrides }) => ({
        overrides: overrides.filter((override) => !Bun.deepEquals(override, request.override)),
      }));
    default:
      return state;
  }
}
