import { afterAll, expect, test } from "bun:test";
import { Statuspage } from "statuspage.io";
import { examplePage } from "../support/pages/example-page.ts";
import { servePages } from "../support/pages/page-server.ts";

const page = examplePage();
const server = servePages([page]);
afterAll(() => server[Symbol.dispose]());

/** A client that others wrote for Statuspage; only the address is ours. */
function client() {
  const statuspage = new Statuspage("example");
  statuspage.setApiUrl(`${server.url}/status/example`);
  return statuspage.api;
}

test("behavior 15.55: a client of Statuspage reads the summary", async () => {
  const summary = await client().getSummary();
  expect(summary.page.name).toBe("Example status");
  expect(summary.status).toEqual({ indicator: "major", description: "Partial System Outage" });
  expect(summary.components.filter(({ group }) => !group)).toHaveLength(50);
  expect(summary.incidents.map(({ name }) => name)).toEqual([
    "Checkout is down",
    "Payments are slow <for some>",
  ]);
  expect(summary.scheduled_maintenances).toHaveLength(2);
});

test("behavior 15.55: a client of Statuspage reads the status and the components", async () => {
  const { status, page: of } = await client().getStatus();
  expect(status.indicator).toBe("major");
  expect(of.url).toBe(`${server.url}/status/example`);
  const { components } = await client().getComponents();
  const shop = components.find(({ name, group }) => group && name === "Shop");
  const members = components.filter(({ group_id }) => group_id === shop?.id);
  expect(members.map(({ name, status: its }) => [name, its])).toEqual([
    ["Checkout", "major_outage"],
    ["Basket", "operational"],
    ["Search", "under_maintenance"],
  ]);
});

test("behavior 15.57: a client of Statuspage reads all incidents and the unresolved ones", async () => {
  const { incidents } = await client().incidents.getAll();
  expect(incidents).toHaveLength(5);
  expect(incidents[1]?.incident_updates.map((update): string => update.status)).toEqual([
    "identified",
    "investigating",
  ]);
  const unresolved = await client().incidents.getUnresolved();
  expect(unresolved.incidents).toHaveLength(2);
});

test("behavior 15.58: a client of Statuspage reads the maintenances to come", async () => {
  // Its functions for all and for active ones request `upcoming.json` too.
  const { scheduled_maintenances } = await client().scheduledMaintenances.getUpcoming();
  expect(scheduled_maintenances.map(({ name, status }): string[] => [name, status])).toEqual([
    ["صيانة قاعدة البيانات", "scheduled"],
  ]);
});
