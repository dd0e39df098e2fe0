import { expect, test } from "bun:test";
import type { Incident } from "../../../src/dashboard/web/data/api.ts";
import {
  componentNames,
  describeOutage,
  entriesOf,
  listNames,
  stateOf,
} from "../../../src/dashboard/web/incidents/incident-words.ts";
import { incidentStatus } from "../../../src/domain/pages/incident.ts";

const component = { group: null, name: null };
const page = {
  components: [
    { ...component, id: "c1", monitorId: "m1" },
    { ...component, id: "c2", monitorId: "m2", name: "Shop" },
    { ...component, id: "c3", monitorId: "m3" },
  ],
};
const names = componentNames(
  page,
  new Map([
    ["m1", "router"],
    ["m2", "internal name"],
  ]),
);

test("a component has its own name, or that of its monitor, or none while it is not known", () => {
  expect([...names]).toEqual([
    ["c1", "router"],
    ["c2", "Shop"],
    ["c3", "…"],
  ]);
  expect(listNames(["c2", "deleted", "c1"], names)).toBe("Shop, router");
});

test.each([
  [true, "Shop is down", "major"],
  [false, "Shop is degraded", "minor"],
] as const)(
  "behavior 15.97: an outage that the page names down (%s) becomes “%s”",
  (isDown, title, impact) => {
    expect(describeOutage({ isDown, componentIds: ["c2", "c1"] }, names)).toEqual({ title, impact });
  },
);

const incident: Incident = {
  id: "i1",
  title: "Slow",
  impact: "major",
  componentIds: [],
  startedAt: "2026-11-21T10:00:00.000Z",
  resolvedAt: null,
  updates: [],
};

test("an incident has the status of its newest update, and the mark of its impact until it is resolved", () => {
  const update = {
    id: "u1",
    body: "text",
    createdAt: incident.startedAt,
    editedAt: null,
    status: "monitoring",
  } as const;
  const resolved = { ...incident, resolvedAt: "2026-11-21T11:00:00.000Z" };
  expect(incidentStatus({ ...incident, updates: [update] })).toBe("monitoring");
  expect(incidentStatus(incident)).toBe("investigating");
  expect(incidentStatus(resolved)).toBe("resolved");
  expect(stateOf(incident)).toBe("down");
  expect(stateOf({ ...incident, impact: "none" })).toBe("waiting");
  expect(stateOf(resolved)).toBe("healthy");
});

test("behavior 15.95: incidents and outages are in one list, the latest first, without outages that are incidents", () => {
  const hour = (at: number) => `2026-11-21T${at}:00:00.000Z`;
  const outage = { id: "o1", componentIds: ["c1"], status: "down" as const, isDown: true, incidentId: null };
  const incidents = [
    { ...incident, startedAt: hour(10) },
    { ...incident, id: "i2", startedAt: hour(12), resolvedAt: hour(13) },
  ];
  const outages = [
    { ...outage, startedAt: hour(14), endedAt: hour(15) },
    { ...outage, id: "o2", startedAt: hour(11), endedAt: null },
    { ...outage, id: "o3", startedAt: hour(10), endedAt: null, incidentId: "i1" },
  ];
  const { open, ended } = entriesOf(incidents, outages);
  const ids = (entries: typeof open) =>
    entries.map((entry) => ("incident" in entry ? entry.incident.id : entry.outage.id));
  expect(ids(open)).toEqual(["o2", "i1"]);
  expect(ids(ended)).toEqual(["o1", "i2"]);
});
