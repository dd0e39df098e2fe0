import { expect, test } from "bun:test";
import { describeAction, nameOf, viewOf } from "../../../src/dashboard/web/accounts/audit-words.ts";
import { AUDIT_ACTIONS, type AuditEntry } from "../../../src/domain/accounts/audit.ts";

type Resource = AuditEntry["resource"];

function entry(action: AuditEntry["action"], type: Resource["type"]) {
  return { action, resource: { type, id: "r1", name: "the name" } };
}

test.each([
  [entry("monitor.created", "monitor"), "Created the monitor", "/monitors/r1"],
  [entry("monitor.deleted", "monitor"), "Deleted the monitor", null],
  [entry("channel.updated", "channel"), "Changed the channel", "/channels/r1"],
  [entry("api_key.created", "api_key"), "Created the API key", "/keys"],
  [entry("organization.updated", "organization"), "Changed the organization", "/settings"],
  [entry("outage.acknowledged", "outage"), "Acknowledged the outage", "/outages/r1"],
  [entry("outage.unacknowledged", "outage"), "Took back the acknowledgement of the outage", "/outages/r1"],
  [entry("page.created", "page"), "Created the public page", "/pages/r1"],
  [entry("person.created", "person"), "Invited the person", "/settings/people"],
  [entry("person.deleted", "person"), "Removed the person", null],
  [entry("incident.updated", "incident"), "Changed the incident", null],
])("behavior 14.94: an audit entry says what somebody did: %j", (one, text, view) => {
  expect([describeAction(one), nameOf(one), viewOf(one)]).toEqual([text, "the name", view]);
});

test("behavior 14.94: pausing all monitors has no single resource", () => {
  const paused = entry("monitor.all_paused", "organization");
  expect([describeAction(paused), nameOf(paused)]).toEqual(["Paused all monitors", ""]);
});

test("behavior 14.94: a sign-in says all without a name, which is in the column before", () => {
  const signedIn = entry("session.created", "session");
  expect([describeAction(signedIn), nameOf(signedIn), viewOf(signedIn)]).toEqual(["Signed in", "", null]);
});

test("behavior 14.94: each action has words", () => {
  for (const action of AUDIT_ACTIONS)
    expect(describeAction(entry(action, "monitor"))).toMatch(/^[A-Z][a-z]+ [a-zA-Z ]+$/);
});
