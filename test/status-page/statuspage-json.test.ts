import { expect, test } from "bun:test";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { PublicPage } from "../../src/domain/pages/public-page.ts";
import { STATUSPAGE_DOCUMENTS, type StatuspageDocument } from "../../src/status-page/statuspage-json.ts";
import { EXAMPLE_NOW } from "../support/pages/example-events.ts";
import { calmPage, exampleId, examplePage } from "../support/pages/example-page.ts";
import { STATUSPAGE_FORM } from "../support/pages/statuspage-form.ts";

const URL = "https://status.example";
const DOCUMENTS = Object.keys(STATUSPAGE_DOCUMENTS) as StatuspageDocument[];
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);

function documentOf<Name extends StatuspageDocument>(name: Name, page: PublicPage = examplePage()) {
  return STATUSPAGE_DOCUMENTS[name](page, URL) as ReturnType<(typeof STATUSPAGE_DOCUMENTS)[Name]>;
}

function faults(name: string, document: unknown) {
  ajv.validate(STATUSPAGE_FORM[name] ?? false, document);
  return ajv.errors ?? [];
}

test("behavior 15.55: each document has every field that Statuspage publishes, with its type, and no other", () => {
  expect(DOCUMENTS.toSorted()).toEqual(Object.keys(STATUSPAGE_FORM).toSorted() as StatuspageDocument[]);
  for (const page of [examplePage(), calmPage(), calmPage({ components: [] })])
    for (const name of DOCUMENTS) expect(faults(name, documentOf(name, page))).toEqual([]);
});

test("a missing and an additional field are found", () => {
  const { page, status } = documentOf("status.json");
  expect(faults("status.json", { page })).toHaveLength(1);
  expect(faults("status.json", { page: { ...page, target: "10.0.0.1" }, status })).toHaveLength(1);
});

test("behavior 15.55: the summary says what the page says, and has what is open or to come", () => {
  const summary = documentOf("summary.json");
  expect(summary.page).toEqual({
    id: exampleId(1),
    name: "Example status",
    url: URL,
    time_zone: "Etc/UTC",
    updated_at: new Date(EXAMPLE_NOW - 5 * 60_000).toISOString(),
  });
  expect(summary.status).toEqual({ indicator: "major", description: "Partial System Outage" });
  expect(summary.incidents.map(({ resolved_at }) => resolved_at)).toEqual([null, null]);
  expect(summary.scheduled_maintenances.map(({ status }) => status)).toEqual(["in_progress", "scheduled"]);
  expect(summary.components).toEqual(documentOf("components.json").components);
});

test("behavior 15.56: a group is a component that precedes its members, which name it", () => {
  const { components } = documentOf("components.json");
  const shop = components.find(({ name }) => name === "Shop");
  const members = components.filter(({ group_id }) => group_id === shop?.id);
  expect(shop).toMatchObject({ group: true, group_id: null, position: 3, status: "major_outage" });
  expect(members.map(({ name, position }) => [name, position])).toEqual([
    ["Checkout", 1],
    ["Basket", 2],
    ["Search", 3],
  ]);
  expect(shop?.components).toEqual(members.map(({ id }) => id));
  expect(components.indexOf(members[0] as (typeof components)[0])).toBe(
    components.indexOf(shop as (typeof components)[0]) + 1,
  );
});

test("behavior 15.56: components and groups have one order, and each ID occurs once", () => {
  const { components } = documentOf("components.json");
  const top = components.filter(({ group_id }) => group_id === null);
  expect(top.map(({ position }) => position)).toEqual(top.map((_, index) => index + 1));
  expect(new Set(components.map(({ id }) => id)).size).toBe(components.length);
});

test("behavior 15.57: incidents are the latest first, with their updates and what they mean for the components", () => {
  const { incidents } = documentOf("incidents.json");
  expect(incidents.map(({ name }) => name)).toEqual([
    "Checkout is down",
    "Payments are slow <for some>",
    "Search is degraded",
    "تعطل المتجر",
    "A note without components or updates",
  ]);
  const [, payments, search, shop, note] = incidents;
  expect(payments?.shortlink).toBe(`${URL}/incidents/${payments?.id}`);
  expect(payments?.incident_updates.map(({ status }) => status)).toEqual(["identified", "investigating"]);
  expect(payments?.components.map(({ name, status }) => [name, status])).toEqual([
    ["בדיקת תשלומים", "degraded_performance"],
    ["Checkout", "major_outage"],
  ]);
  const changes = search?.incident_updates.map(({ affected_components }) => affected_components);
  const affected = { code: search?.components[0]?.id, name: "Search" };
  expect(changes as unknown).toEqual([
    [{ ...affected, old_status: "degraded_performance", new_status: "operational" }],
    [{ ...affected, old_status: "operational", new_status: "degraded_performance" }],
  ]);
  expect(shop?.monitoring_at).toBe(shop?.incident_updates[1]?.created_at as string);
  expect(note).toMatchObject({
    status: "resolved",
    monitoring_at: null,
    components: [],
    incident_updates: [],
  });
});

test("behavior 15.57: an update of an incident that affects no component says null", () => {
  const [first] = examplePage().incidents;
  const incidents = first ? [{ ...first, componentIds: [exampleId(7)] }] : [];
  const document = documentOf("incidents.json", calmPage({ incidents }));
  expect(document.incidents[0]?.components).toEqual([]);
  expect(document.incidents[0]?.incident_updates[0]?.affected_components).toBeNull();
});

test("behavior 15.57: unresolved.json has the open incidents only", () => {
  const { incidents } = documentOf("incidents/unresolved.json");
  expect(incidents.map(({ name }) => name)).toEqual(["Checkout is down", "Payments are slow <for some>"]);
});

test("behavior 15.58: a maintenance is scheduled, in progress, and completed when its window has ended", () => {
  const { scheduled_maintenances } = documentOf("scheduled-maintenances.json");
  const seen = scheduled_maintenances.map(({ status, incident_updates, resolved_at }) => ({
    status,
    updates: incident_updates.map((update) => update.status),
    isResolved: resolved_at !== null,
  }));
  expect(seen).toEqual([
    { status: "in_progress", updates: ["in_progress", "scheduled"], isResolved: false },
    { status: "scheduled", updates: ["scheduled"], isResolved: false },
    { status: "completed", updates: ["completed", "in_progress", "scheduled"], isResolved: true },
  ]);
  const [active] = scheduled_maintenances;
  expect(active?.scheduled_for).toBe(new Date(EXAMPLE_NOW - 3_600_000).toISOString());
  expect(active?.scheduled_until).toBe(new Date(EXAMPLE_NOW + 3_600_000).toISOString());
  expect(active?.incident_updates[1]?.body).toBe("Search may be slow.\n\nNothing is lost.");
  expect(active?.components.map(({ name }) => name)).toEqual(["Search"]);
});

test("behavior 15.58: upcoming.json and active.json have the windows that are scheduled and in progress", () => {
  const states = (name: "scheduled-maintenances/upcoming.json" | "scheduled-maintenances/active.json") =>
    documentOf(name).scheduled_maintenances.map(({ status }) => status);
  expect(states("scheduled-maintenances/upcoming.json")).toEqual(["scheduled"]);
  expect(states("scheduled-maintenances/active.json")).toEqual(["in_progress"]);
});

test("behavior 15.57: an incident with many components and updates names them only in its latest updates", () => {
  const page = examplePage();
  const [incident] = page.incidents;
  const [update] = incident?.updates ?? [];
  if (!incident || !update) throw new Error("the example has no update");
  const componentIds = page.components.map(({ id }) => id);
  const updates = Array.from({ length: 100 }, () => ({ ...update, status: "identified" as const }));
  const { incidents } = documentOf("incidents.json", {
    ...page,
    incidents: [{ ...incident, componentIds, updates }],
  });
  const affected = incidents[0]?.incident_updates.map(
    ({ affected_components }) => affected_components?.length,
  );
  const named = Math.ceil(1000 / componentIds.length);
  expect(affected?.slice(0, named)).toEqual(Array(named).fill(componentIds.length));
  expect(affected?.slice(named)).toEqual(Array(100 - named).fill(undefined));
});

test("behavior 21.9: a document names the time zone of the page", () => {
  const zoneOf = (timezone: string) => documentOf("status.json", examplePage({ timezone })).page.time_zone;
  expect(["Europe/Berlin", "UTC"].map(zoneOf)).toEqual(["Europe/Berlin", "Etc/UTC"]);
});
