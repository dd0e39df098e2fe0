import type { Fault } from "../ledger.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Before a fault begins or ends, each tick runs for this long: it matters when the server was last alive. */
const DENSE_BEFORE = 3000;

/** After a fault of the clock or the disk, each tick runs for this long, because the loops then repeat what failed. */
const DENSE_AFTER = 8000;

/** A doomed process dies within these milliseconds, at one of its next calls of the store. */
export const DENSE_AFTER_KILL = 15_000;

/** Faults that the stall detector has to see. */
const STALLS: readonly Fault["kind"][] = ["stall", "suspend", "clock-step", "no-descriptors"];

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

/** Each write waits for seconds in these. */
const DENSE_DURING: readonly Fault["kind"][] = ["locked"];
const DENSE_AT_EDGES: readonly Fault["kind"][] = [
  "stall",
  "suspend",
  "clock-step",
  "kill",
  "disk-full",
  "no-descriptors",
];

/** The machine of a server and its probes: the wall clock and the faults of this moment. */
export class Machine {
  readonly #faults: Lasting[];
  /** When faults begin and end, by time. */
  readonly #edges: number[];
  /** The faults of this moment, until the next edge. */
  #active: Lasting[] = [];
  #activeUntil = Number.NEGATIVE_INFINITY;
  #wallOffset = 0;
  /** Until this true time no tick is left out. */
  #denseUntil = Number.NEGATIVE_INFINITY;

  constructor(
    readonly time: VirtualTime,
    faults: readonly Fault[],
  ) {
    this.#faults = faults.filter((fault) => fault.kind !== "kill").sort((a, b) => a.from - b.from);
    this.#edges = faults
      .flatMap((fault) => (fault.kind === "kill" ? [fault.at] : [fault.from, fault.to]))
      .sort((a, b) => a - b);
  }

  wallOffset(): number {
    this.#findActive();
    return this.#wallOffset;
  }

  /** Milliseconds since 1970, as this machine shows them. */
  wall(): number {
    return Math.floor(this.time.now + this.wallOffset());
  }

  /** The end of a fault that lasts now. */
  endOf(kind: LastingKind): number | undefined {
    this.#findActive();
    for (const fault of this.#active) if (fault.kind === kind) return fault.to;
    return undefined;
  }

  has(kind: LastingKind): boolean {
    return this.endOf(kind) !== undefined;
  }

  rejectsWrites(): boolean {
    return this.has("disk-full") || this.has("locked");
  }

  /** Whether a fault of this machine reached into a stretch. */
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

  /** Like `denseFrom`, without the time before a fault. */
  denseAfterFault(): number {
    return this.time.now < this.#denseUntil ? this.time.now : Number.POSITIVE_INFINITY;
  }

  stayDense(until = this.time.now, longer = DENSE_AFTER): void {
    this.#denseUntil = Math.max(this.#denseUntil, until + longer);
  }

  /** @property refresh plans the ticks again @property pulse lets the stall detector tick */
  stayDenseDuring(
    { kind, from, to }: { kind: Fault["kind"]; from: number; to: number },
    { refresh, pulse }: { refresh: () => void; pulse: () => void },
  ): void {
    if (STALLS.includes(kind)) for (const edge of [from, to]) this.time.at(edge - 1, pulse);
    const dense = DENSE_DURING.includes(kind);
    if (!dense && !DENSE_AT_EDGES.includes(kind)) return;
    this.time.at(from, () => {
      this.stayDense(dense ? to : from, kind === "kill" ? DENSE_AFTER_KILL : DENSE_AFTER);
      refresh();
    });
    this.time.at(to, () => {
      this.stayDense();
      refresh();
    });
  }

  #findActive(): void {
    const { now } = this.time;
    if (now < this.#activeUntil) return;
    this.#active = this.#faults.filter(({ from, to }) => from <= now && now < to);
    this.#activeUntil = Math.min(
      ...this.#active.map(({ to }) => to),
      this.#faults.find(({ from }) => from > now)?.from ?? Number.POSITIVE_INFINITY,
    );
    this.#wallOffset = 0;
    for (const fault of this.#active) if (fault.kind === "clock-step") this.#wallOffset += fault.byMs;
  }
}
