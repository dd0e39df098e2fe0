import type { Fault } from "../ledger.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Before a fault begins or ends, each tick runs for this long: it matters when the server was last alive. */
const DENSE_BEFORE = 3000;

/** After a fault of the clock or the disk, each tick runs for this long, because the loops then repeat what failed. */
const DENSE_AFTER = 15_000;

type Lasting = Extract<Fault, { from: number }>;
type LastingKind = Lasting["kind"];

const DISTURBING: readonly LastingKind[] = [
  "stall",
  "suspend",
  "clock-step",
  "resolver-silent",
  "no-descriptors",
  "network-gone",
];

/** Writes fail or wait in these, and the loops repeat what failed. */
const DENSE_DURING: readonly Fault["kind"][] = ["disk-full", "locked", "slow-disk"];
const DENSE_AT_EDGES: readonly Fault["kind"][] = ["stall", "suspend", "clock-step", "kill"];

/** What a server and its probes find on their machine: the wall clock and the faults of this moment. */
export class Machine {
  readonly #faults: Lasting[];
  /** When faults begin and end, by time. */
  readonly #edges: number[];
  /** Until this true time no tick is left out. */
  #denseUntil = Number.NEGATIVE_INFINITY;

  constructor(
    readonly time: VirtualTime,
    faults: readonly Fault[],
  ) {
    this.#faults = faults.filter((fault) => fault.kind !== "kill");
    this.#edges = faults
      .flatMap((fault) => (fault.kind === "kill" ? [fault.at] : [fault.from, fault.to]))
      .sort((a, b) => a - b);
  }

  wallOffset(): number {
    let offset = 0;
    for (const fault of this.#faults)
      if (fault.kind === "clock-step" && this.#isNow(fault)) offset += fault.byMs;
    return offset;
  }

  /** Milliseconds since 1970, as this machine shows them. */
  wall(): number {
    return Math.floor(this.time.now + this.wallOffset());
  }

  /** The end of a fault that lasts now. */
  endOf(kind: LastingKind): number | undefined {
    return this.#faults.find((fault) => fault.kind === kind && this.#isNow(fault))?.to;
  }

  has(kind: LastingKind): boolean {
    return this.endOf(kind) !== undefined;
  }

  rejectsWrites(): boolean {
    return this.has("disk-full") || this.has("locked");
  }

  /** Whether an own fault reached into a stretch. */
  isDisturbed(from: number, to: number): boolean {
    return this.#faults.some((one) => DISTURBING.includes(one.kind) && one.from <= to && one.to >= from);
  }

  /** How long the machine was suspended within a stretch. */
  suspendedWithin(from: number, to: number): number {
    let total = 0;
    for (const one of this.#faults)
      if (one.kind === "suspend") total += Math.max(0, Math.min(to, one.to) - Math.max(from, one.from));
    return total;
  }

  /** The true time from which on no tick may be left out; a past one if that is now. */
  denseFrom(): number {
    if (this.time.now < this.#denseUntil) return this.time.now;
    while (this.#edges[0] !== undefined && this.#edges[0] < this.time.now) this.#edges.shift();
    return (this.#edges[0] ?? Number.POSITIVE_INFINITY) - DENSE_BEFORE;
  }

  stayDense(until = this.time.now): void {
    this.#denseUntil = Math.max(this.#denseUntil, until + DENSE_AFTER);
  }

  /** @param refresh plans the ticks again */
  stayDenseDuring(
    { kind, from, to }: { kind: Fault["kind"]; from: number; to: number },
    refresh: () => void,
  ): void {
    const dense = DENSE_DURING.includes(kind);
    if (!dense && !DENSE_AT_EDGES.includes(kind)) return;
    this.time.at(from, () => {
      this.stayDense(dense ? to : from);
      refresh();
    });
    this.time.at(to, () => {
      this.stayDense();
      refresh();
    });
  }

  #isNow({ from, to }: Lasting): boolean {
    return from <= this.time.now && this.time.now < to;
  }
}
