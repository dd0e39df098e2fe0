import type { Ledger, SimMonitor, Violation } from "../../ledger.ts";
import { disturbances } from "../calm/situation.ts";
import { accepted } from "../calm/spells.ts";
import { united } from "../calm/stretches.ts";
import { maintenanceRuns } from "../calm/windows.ts";
import { ownFaults, type Stretch } from "../own-faults.ts";
import { lifeOf, type MonitorLife } from "./monitor-life.ts";
import { type Inbox, inboxOf } from "./received.ts";
import { Sight } from "./sight.ts";

/** How long an edit of dependencies takes to have its effect; milliseconds. */
const EDIT = 3000;

/** A monitor with all that the truth says of it. */
export interface Subject extends MonitorLife {
  sight: Sight;
}

/** The truth of a whole run, whatever was recorded of it. */
export class Whole {
  readonly disturbed: Stretch[];
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly inboxes: Inbox[];
  readonly #dependencies: { from: number; to: number; parents: ReadonlyMap<string, readonly string[]> }[];

  constructor(readonly ledger: Ledger) {
    const faults = ownFaults(ledger);
    this.disturbed = united(disturbances(ledger, faults));
    const runs = maintenanceRuns(ledger);
    const context = { ledger, faults, disturbed: this.disturbed, runs };
    const subjects = ledger.scenario.monitors.map((monitor): [string, Subject] => {
      const life = lifeOf(monitor, context);
      return [monitor.name, { ...life, sight: Sight.of(life) }];
    });
    this.subjects = new Map(subjects);
    this.inboxes = ledger.scenario.channels.map((channel) => inboxOf(channel, ledger, this.disturbed));
    this.#dependencies = dependenciesOf(ledger);
  }

  /** All that a monitor may depend on, directly or not, at some moment of a stretch. */
  mayDependOn(monitor: string, during: Stretch): Set<string> {
    const epochs = this.#dependencies.filter(
      ({ from, to }) => from - EDIT <= during.to && to + EDIT >= during.from,
    );
    return new Set(epochs.flatMap(({ parents }) => [...ancestors(monitor, parents)]));
  }

  /** All that it depends on in the whole of a stretch. */
  dependsOn(monitor: string, during: Stretch): Set<string> {
    const epochs = this.#dependencies.filter(
      ({ from, to }) => from - EDIT <= during.to && to + EDIT >= during.from,
    );
    const [first = new Set<string>(), ...others] = epochs.map(({ parents }) => ancestors(monitor, parents));
    return new Set([...first].filter((name) => others.every((other) => other.has(name))));
  }
}

function ancestors(monitor: string, parents: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const waiting = [...(parents.get(monitor) ?? [])];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...(parents.get(name) ?? []));
  }
  return found;
}

/** The stretches in which the dependencies do not change. A deleted monitor is in none. */
function dependenciesOf(ledger: Ledger) {
  const { from, to, monitors } = ledger.scenario;
  const edits = [
    ...accepted(ledger, "depend").map(({ request, from: at }) => ({
      at,
      edit: set(request.monitor, request.on),
    })),
    ...accepted(ledger, "delete").map(({ request, from: at }) => ({
      at,
      edit: withoutMonitor(request.monitor),
    })),
  ].sort((a, b) => a.at - b.at);
  let parents = new Map<string, readonly string[]>(
    monitors.map(({ name, dependsOn = [] }) => [name, dependsOn]),
  );
  let start = from - 2 * EDIT;
  const epochs = [];
  for (const { at, edit } of edits) {
    epochs.push({ from: start, to: at, parents });
    parents = edit(parents);
    start = at;
  }
  return [...epochs, { from: start, to: to + 2 * EDIT, parents }];
}

type Parents = Map<string, readonly string[]>;

function set(monitor: string, on: readonly string[]): (parents: Parents) => Parents {
  return (parents) => new Map(parents).set(monitor, on);
}

function withoutMonitor(deleted: string): (parents: Parents) => Parents {
  return (parents) =>
    new Map(
      [...parents]
        .filter(([name]) => name !== deleted)
        .map(([name, on]) => [name, on.filter((one) => one !== deleted)]),
    );
}

/** A violation about a monitor, and a channel. */
export function found(
  rule: string,
  at: number,
  { monitor, channel, text }: { monitor?: SimMonitor; channel?: string; text: string },
): Violation {
  return {
    rule,
    at,
    ...(monitor && { monitor: monitor.name }),
    ...(channel !== undefined && { channel }),
    text,
  };
}
