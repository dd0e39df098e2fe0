import { expect, test } from "bun:test";
import { type Fact, keyOf, type Sharer } from "../../../src/domain/causes/causes.ts";
import {
  type CausePlan,
  type CauseSituation,
  type OpenCause,
  planCauses,
  type Trouble,
} from "../../../src/domain/causes/plan-causes.ts";

const address: Fact = { kind: "address", value: "203.0.113.7" };
const network: Fact = { kind: "network", value: "203.0.113.0/24" };
const NOTHING: CausePlan = { refuted: [], joined: [], opened: [], pending: [], undecided: [] };

/** A monitor of a world. @property checkedAt of its latest check, which was good if it has no `at` */
interface Monitor {
  id: string;
  facts?: Fact[];
  at?: number;
  causePk?: number;
  checkedAt?: number;
}

function plan(monitors: Monitor[], open: OpenCause[] = [], since = 0): CausePlan {
  const all = monitors.map((one, place) => ({ facts: [address, network], outagePk: place, ...one }));
  const situation: CauseSituation = {
    troubles: all.flatMap(({ id, at, outagePk, causePk = null }): Trouble[] =>
      at === undefined ? [] : [{ monitorId: id, at, outagePk, causePk }],
    ),
    open,
    since,
    factsOf: (id) => all.find((one) => one.id === id)?.facts ?? [],
    sharersOf: (fact) =>
      all
        .filter(({ facts }) => facts.some((one) => keyOf(one) === keyOf(fact)))
        .map(
          ({ id, at, checkedAt = at ?? null }): Sharer => ({
            ...{ monitorId: id, isEnabled: true, isHealthy: at === undefined, isSuspected: false, checkedAt },
          }),
        ),
  };
  const steps = planCauses(situation);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const three = ["a", "b", "c"].map((id, at): Monitor => ({ id, at: 1000 + at }));
const members = three.map((one) => ({ ...one, causePk: 7 }));
const open: OpenCause = { ...address, pk: 7, startedAt: 1000, monitorIds: ["a", "b", "c"] };

test("behavior 22.21: failures open a cause, unless they are old", () => {
  const opened = [{ ...address, startedAt: 1000, outagePks: [0, 1, 2] }];
  expect(plan(three)).toEqual({ ...NOTHING, opened });
  expect(plan(three, [], 1002)).toEqual(NOTHING);
});

test("behavior 22.22: monitors that decide are named, and nothing opens before", () => {
  expect(plan([...three, { id: "d", checkedAt: 900 }])).toEqual({
    ...NOTHING,
    pending: ["d"],
    undecided: [0, 1, 2],
  });
});

test("behavior 22.23: a later failure with the fact joins, however late, and an earlier one does not", () => {
  const late: Monitor = { id: "d", at: 900_000 };
  expect(plan([...members, late], [open])).toEqual({ ...NOTHING, joined: [{ causePk: 7, outagePk: 3 }] });
  expect(plan([...members, { ...late, facts: [network] }], [open])).toEqual(NOTHING);
  expect(plan([...members, { ...late, at: 999 }], [open])).toEqual(NOTHING);
});

test("behavior 22.23: of two open causes, a failure joins that which explains more", () => {
  const larger: OpenCause = { ...network, pk: 8, startedAt: 1000, monitorIds: ["x", "y", "z", "w"] };
  const { joined } = plan([...members, { id: "d", at: 2000 }], [open, larger]);
  expect(joined).toEqual([{ causePk: 8, outagePk: 3 }]);
});

test("behavior 22.23: a counterexample refutes, and another fact may explain the failures", () => {
  const healthy: Monitor = { id: "d", facts: [address], checkedAt: 2000 };
  expect(plan([...members, healthy], [open])).toEqual({
    ...NOTHING,
    refuted: [7],
    opened: [{ ...network, startedAt: 1000, outagePks: [0, 1, 2] }],
  });
  expect(plan([...members, { ...healthy, checkedAt: 1000 }], [open])).toEqual(NOTHING);
});

test("behavior 22.23: a member that recovers is no counterexample", () => {
  const [recovered, ...others] = members as [Monitor, ...Monitor[]];
  const { at: _, ...good } = recovered;
  expect(plan([{ ...good, checkedAt: 5000 }, ...others], [open])).toEqual(NOTHING);
});
