import type { Ledger } from "../ledger.ts";
import type { Stretch } from "../oracle/own-faults.ts";
import { type Coverage, counted, sumOf } from "./counts.ts";
import type { Interruptions, Work } from "./work.ts";

/** Names the work that lasted during each fault, and the calls at which processes died. */
export function interruptionsOf(ledger: Ledger, { work, counts, calls }: Interruptions): Coverage {
  const all = [...work, ...attemptsOf(ledger), ...requestsOf(ledger)];
  const server = faultsOf(ledger);
  const hit = (faults: readonly Happening[], some: readonly Work[]) =>
    faults.flatMap((fault) =>
      namesOf(some.filter((one) => one.from <= fault.to && endOf(one, ledger) >= fault.from)).map(
        (name) => `${fault.kind} during ${name}`,
      ),
    );
  const places = (ledger.scenario.locations ?? []).flatMap(({ name, faults }) => {
    const own = all.filter(({ place }) => place === name);
    return hit(faults, own).map((text) => `location: ${text}`);
  });
  const called = [...calls].map((name) => `call of ${name}`);
  return sumOf([counts, counted(called), counted([...hit(server, all), ...places])]);
}

interface Happening extends Stretch {
  kind: string;
}

function namesOf(work: readonly Work[]): string[] {
  return [
    ...new Set(work.map(({ name, place }) => (place && name === "check" ? "check of a location" : name))),
  ];
}

/** A kill is a moment; all others last. */
function faultsOf({ scenario, lives }: Ledger): Happening[] {
  const kills = lives.filter(({ end }) => end === "kill").map(({ to }) => ({ kind: "kill", from: to, to }));
  return [...scenario.faults.flatMap((fault) => (fault.kind === "kill" ? [] : [fault])), ...kills];
}

/** Work that never ended has ended with its process. */
function endOf({ from, to, place }: Work, { lives, placeLives, scenario }: Ledger): number {
  if (to !== Number.POSITIVE_INFINITY) return to;
  const own = place === undefined ? lives : placeLives.filter((life) => life.place === place);
  return own.find((life) => life.to >= from)?.to ?? scenario.to;
}

function attemptsOf({ attempts }: Ledger): Work[] {
  return attempts.map(({ startedAt, endedAt }) => ({ name: "notification", from: startedAt, to: endedAt }));
}

function requestsOf({ requests }: Ledger): Work[] {
  return requests.map(({ from, to }) => ({ name: "request", from, to }));
}
