import { type Change, down, type Scenario, silent, type Truth, UP } from "../scenario.ts";
import { all, refuses, serves } from "../world/changes.ts";
import { BROKEN, http, OK } from "../world/http.ts";
import { httpMonitor } from "./plain.ts";

const COUNT = 40;
/** Where the targets are. */
const TARGETS = Array.from({ length: COUNT }, (_, at) => at + 10);

interface Break {
  change: (...at: number[]) => Change;
  truth: Truth;
}

const CLOSED: Break = { change: refuses, truth: down("port", "refused") };
const BREAKS: Break[] = [
  CLOSED,
  { change: (...at) => serves(http(BROKEN), ...at), truth: down("content", "unexpected") },
  { change: (...at) => serves(http(""), ...at), truth: down("protocol", "closed") },
  {
    change: (...at) =>
      serves(
        http(() => undefined),
        ...at,
      ),
    truth: silent("protocol", "timeout"),
  },
];

/** Many targets break at once, and others don't. */
export const many: Scenario[] = [
  breaksAtOnce("half-refuses", "half of 40 targets refuse connections at once", isOdd, () => CLOSED),
  breaksAtOnce("half-breaks", "half of 40 targets break at once, each in one of four ways", isOdd, wayOf),
  breaksAtOnce("all-break", "all of 40 targets break at once, each in one of four ways", () => true, wayOf),
  breaksAtOnce("one-stays", "39 of 40 targets break at once", (nth) => nth !== TARGETS.at(-1), wayOf),
  breaksAtOnce(
    "one-breaks",
    "one of 40 targets breaks",
    (nth) => nth === TARGETS.at(-1),
    () => CLOSED,
  ),
];

function breaksAtOnce(
  name: string,
  about: string,
  isBroken: (nth: number) => boolean,
  breakOf: (nth: number) => Break,
): Scenario {
  const truths = (truthOf: (nth: number) => Truth) =>
    Object.fromEntries(TARGETS.map((nth) => [`target ${nth}`, truthOf(nth)]));
  const good = { change: serves(http(OK), ...TARGETS), truths: truths(() => UP) };
  const broken = {
    change: all(...TARGETS.filter(isBroken).map((nth) => breakOf(nth).change(nth))),
    truths: truths((nth) => (isBroken(nth) ? breakOf(nth).truth : UP)),
  };
  const monitors = Object.fromEntries(TARGETS.map((nth) => [`target ${nth}`, monitorAt(nth)]));
  return { name, about, monitors, stages: [good, broken, good] };
}

function monitorAt(nth: number): Scenario["monitors"][string] {
  return (spot) => httpMonitor({ url: `http://${spot.address(nth)}:${spot.port}/`, expect: {} })(spot);
}

function isOdd(nth: number): boolean {
  return nth % 2 === 1;
}

function wayOf(nth: number): Break {
  return BREAKS[Math.floor(nth / 2) % BREAKS.length] ?? CLOSED;
}
