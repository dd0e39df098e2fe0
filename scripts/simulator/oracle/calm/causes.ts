import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { Ledger } from "../../ledger.ts";
import type { Stretch } from "../own-faults.ts";
import { accepted, during, type Spell } from "./spells.ts";
import { any, both, type Known, narrowed, widened } from "./stretches.ts";

/** How long an edit takes; milliseconds. */
const EDIT = 3000;

/** A stretch in which the dependencies do not change. @property parents names of monitors, by the name of the child */
interface Epoch extends Stretch {
  parents: ReadonlyMap<string, readonly string[]>;
}

/** When a monitor that each monitor depends on, directly or not, is in group down. */
export class Causes {
  readonly #epochs: Epoch[];

  constructor(
    ledger: Ledger,
    private readonly spells: ReadonlyMap<string, Spell[]>,
    private readonly disturbances: readonly Stretch[],
  ) {
    this.#epochs = epochsOf(ledger);
  }

  of(monitor: string): Known {
    return any(
      ...this.#epochs.flatMap((epoch) =>
        [...this.ancestors(monitor, epoch)].map((name) => both(lasting(epoch), this.#downOf(name))),
      ),
    );
  }

  /** The dependencies that hold in the whole of a stretch; undefined if they change. */
  epochOf({ from, to }: Stretch): Epoch | undefined {
    return this.#epochs.find((epoch) => epoch.from <= from && to <= epoch.to);
  }

  ancestors(monitor: string, { parents }: Epoch): Set<string> {
    const found = new Set<string>();
    const waiting = [...(parents.get(monitor) ?? [])];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(...(parents.get(name) ?? []));
    }
    return found;
  }

  #downOf(name: string): Known {
    const down = (this.spells.get(name) ?? []).filter(
      ({ status }) => status !== "unknown" && groupOf[status] === "down",
    );
    return during(down, this.disturbances);
  }
}

function lasting(epoch: Epoch): Known {
  return { surely: narrowed([epoch], EDIT), possibly: widened([epoch], EDIT) };
}

function epochsOf(ledger: Ledger): Epoch[] {
  const { from, to, monitors } = ledger.scenario;
  let parents = new Map(monitors.map(({ name, dependsOn = [] }) => [name, dependsOn]));
  const epochs: Epoch[] = [];
  let start = from - 2 * EDIT;
  for (const { request, from: at } of accepted(ledger, "depend")) {
    epochs.push({ from: start, to: at, parents });
    parents = new Map(parents).set(request.monitor, request.on);
    start = at;
  }
  return [...epochs, { from: start, to: to + 2 * EDIT, parents }];
}
