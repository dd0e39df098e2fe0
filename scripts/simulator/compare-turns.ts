import { listTurns, type Rota } from "../../src/domain/on-call/rotation.ts";
import { availability } from "../../src/domain/on-call/schedule.ts";
import type { Scenario, SimSchedule, Violation } from "./ledger.ts";
import { momentsOf } from "./oracle/on-call/figures.ts";
import { WRONG } from "./oracle/on-call/judge-on-call.ts";
import { Rosters, type State } from "./oracle/on-call/rosters.ts";
import type { Verdict } from "./run-seed.ts";
import { drawCrowd } from "./truth/crowd.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** More of them say nothing new. */
const MAX_DIFFERENCES = 100;

/** @property turns how often somebody else was on call, or nobody @property moments at which the oracle was asked */
export interface TurnFigures {
  personDays: number;
  turns: number;
  moments: number;
  differences: number;
}

/**
 * Compares all turns of a crowd with those that the oracle sees on its clocks: only the functions of schedules run, without a server, a
 * database and notifications. Requests of operators have their effect at once.
 */
export function compareTurns(seed: number, size: { people: number; days: number }): Verdict {
  const scenario = drawCrowd({ seed, ...size });
  const requests = (scenario.requests ?? []).map((request) => {
    return { request, from: request.at, to: request.at, accepted: true };
  });
  const { schedules = [], people = [] } = scenario.onCall ?? {};
  const found = schedules.map((schedule) => compare(schedule, { scenario, requests }));
  const violations = found.flatMap((one) => one.differences);
  const sum = (count: (one: Compared) => number) => found.reduce((total, one) => total + count(one), 0);
  return {
    seed,
    trace: Bun.hash(JSON.stringify(found)).toString(16),
    violations: violations.slice(0, MAX_DIFFERENCES),
    from: scenario.from,
    monitorHours: ((scenario.to - scenario.from) / HOUR) * scenario.monitors.length,
    ...{ checks: 0, demandedChecks: 0, checkins: 0, notifications: 0, lives: 0 },
    turns: {
      personDays: (people.length * (scenario.to - scenario.from)) / DAY,
      turns: sum(({ turns }) => turns),
      moments: sum(({ moments }) => moments),
      differences: violations.length,
    },
  };
}

interface Compared {
  turns: number;
  moments: number;
  differences: Violation[];
}

function compare(
  schedule: SimSchedule,
  {
    scenario,
    requests,
  }: { scenario: Scenario; requests: ConstructorParameters<typeof Rosters>[0]["requests"] },
): Compared {
  const { onCall = { people: [], schedules: [], defaults: [] } } = scenario;
  const rosters = new Rosters({ scenario, requests }, onCall);
  const states = rosters.states();
  const moments = momentsOf(schedule, { rosters, requests, span: scenario });
  const compared: Compared = { turns: 0, moments: 0, differences: [] };
  for (const [place, { surely, state }] of states.entries()) {
    const from = Math.max(scenario.from, surely + MINUTE);
    const to = Math.min(scenario.to, (states[place + 1]?.surely ?? scenario.to) - MINUTE);
    if (from >= to) continue;
    const turns = turnsIn(state, schedule.name, { from, to });
    compared.turns += turns.length - 1;
    let current = 0;
    for (const moment of moments) {
      if (moment <= from || moment >= to) continue;
      for (const at of [moment - 1, moment]) {
        while ((turns[current]?.to ?? to) <= at) current++;
        const [expected, seen] = [rosters.personAt(schedule.name, at), turns[current]?.personId ?? null];
        compared.moments++;
        if (seen === expected) continue;
        const text = `${schedule.name}: ${seen} instead of ${expected}`;
        compared.differences.push({ rule: WRONG, at, text });
      }
    }
  }
  return compared;
}

/** The turns by the functions of the product. People are their names. */
function turnsIn({ people, schedules }: State, name: string, span: { from: number; to: number }) {
  const schedule = schedules.get(name);
  if (!schedule) throw new Error(`there is no schedule ${name}`);
  const { timezone, layers, overrides } = schedule;
  const rota: Rota = {
    timezone,
    // Who is deleted leaves the layers and the overrides.
    layers: layers.map(({ people: takers, ...layer }) => {
      return { ...layer, personIds: takers.filter((person) => people.has(person)) };
    }),
    overrides: overrides
      .map(({ person, ...times }, number) => ({ id: String(number), personId: person, ...times }))
      .toSorted((a, b) => a.startsAt - b.startsAt),
  };
  const known = [...people.values()].map(({ name: id, isDisabled }) => ({ id, isDisabled }));
  return listTurns(rota, span, availability(known));
}
