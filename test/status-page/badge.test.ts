import { expect, test } from "bun:test";
import { Ajv } from "ajv";
import type { ComponentStatus } from "../../src/domain/pages/component-status.ts";
import { BADGE_KINDS, type BadgeKind, type PublicComponent } from "../../src/domain/pages/public-page.ts";
import { badgeJson, badgeSvg, type Color, componentBadge, pageBadge } from "../../src/status-page/badge.ts";
import { calmPage, examplePage } from "../support/pages/example-page.ts";
import { xpath } from "../support/pages/xml.ts";
import { isMissing } from "../support/requirements.ts";

const [SAMPLE] = calmPage().components;

function badgeOf(kind: BadgeKind, changes: Partial<PublicComponent> = {}) {
  if (!SAMPLE) throw new Error("the example has no component");
  return componentBadge(calmPage(), { ...SAMPLE, ...changes }, kind);
}

/** The form of the endpoint badges of shields.io. */
const SHIELDS = {
  type: "object",
  required: ["schemaVersion", "label", "message"],
  additionalProperties: false,
  properties: {
    schemaVersion: { const: 1 },
    label: { type: "string" },
    message: { type: "string", minLength: 1 },
    color: { enum: ["brightgreen", "green", "yellowgreen", "yellow", "orange", "red", "blue", "lightgrey"] },
  },
};

test("behavior 15.61: the badge of a page is its title and its overall state", () => {
  expect(pageBadge(calmPage())).toEqual({
    label: "Example status",
    message: "All Systems Operational",
    color: "brightgreen",
  });
  expect(pageBadge(examplePage())).toMatchObject({ message: "Partial System Outage", color: "orange" });
  expect(pageBadge(calmPage({ indicator: "minor" })).color).toBe("yellow");
  expect(pageBadge(calmPage({ indicator: "critical" })).color).toBe("red");
});

test("behavior 15.61: the badge of a page without trouble is blue while a component is under maintenance", () => {
  const components = calmPage().components.map((component) => ({
    ...component,
    status: "under_maintenance" as const,
  }));
  expect(pageBadge(calmPage({ components })).color).toBe("blue");
  expect(pageBadge(calmPage({ components, indicator: "major" })).color).toBe("orange");
});

test.each<[ComponentStatus, string, Color]>([
  ["operational", "operational", "brightgreen"],
  ["under_maintenance", "under maintenance", "blue"],
  ["degraded_performance", "degraded", "yellow"],
  ["major_outage", "down", "red"],
])("behavior 15.61: a component that is %s", (status, message, color) => {
  expect(badgeOf("status", { status })).toEqual({ label: "Website", message, color });
});

test.each<[string, Color]>([
  ["100.00%", "brightgreen"],
  ["99.90%", "brightgreen"],
  ["99.89%", "green"],
  ["98.99%", "yellowgreen"],
  ["95.00%", "yellow"],
  ["90.00%", "orange"],
  ["89.99%", "red"],
])("behavior 15.61: an uptime of %s is %s", (uptime, color) => {
  const label = "Website uptime, 90 days";
  expect(badgeOf("uptime", { uptime })).toEqual({ label, message: uptime, color });
});

test("behavior 15.61: uptime and latency without data say so", () => {
  expect(badgeOf("uptime", { uptime: null })).toMatchObject({ message: "no data", color: "lightgrey" });
  expect(badgeOf("latency", { latencyMs: null })).toMatchObject({ message: "no data", color: "lightgrey" });
  expect(badgeOf("latency", { latencyMs: 41.6 })).toEqual({
    label: "Website latency",
    message: "42 ms",
    color: "blue",
  });
});

test("behavior 15.61: a page that does not show latency has no badge of it", () => {
  const page = calmPage({ showLatency: false });
  const [component] = page.components;
  expect(component && componentBadge(page, component, "latency")).toBeNull();
  expect(component && componentBadge(page, component, "uptime")).not.toBeNull();
});

test("behavior 15.61: a label is one line of at most 60 characters", () => {
  expect(badgeOf("status", { name: "a\n b\tc" })?.label).toBe("a b c");
  expect(badgeOf("status", { name: "a\u202eb\u0000" })?.label).toBe("ab");
  expect(badgeOf("status", { name: "🙂".repeat(200) })?.label).toBe(`${"🙂".repeat(29)}…`);
});

test("behavior 15.61: the JSON of every badge has the form that shields.io reads", () => {
  const page = examplePage();
  const validate = new Ajv().compile(SHIELDS);
  const badges = page.components.flatMap((component) =>
    BADGE_KINDS.map((kind) => componentBadge(page, component, kind)),
  );
  for (const badge of [pageBadge(page), ...badges]) {
    validate(badge === null ? null : JSON.parse(badgeJson(badge)));
    expect(validate.errors).toBeNull();
  }
});

test.skipIf(isMissing(["xmllint"]))("behavior 15.61: the SVG is valid XML that has the text", async () => {
  const svg = await badgeSvg({ label: '<b>&"متجر"\u0000', message: "99.98%", color: "brightgreen" });
  expect(await xpath(svg, "string(//*[local-name()='title'])")).toBe('<b>&"متجر"\uFFFD: 99.98%');
  expect(await xpath(svg, "string(/*/@aria-label)")).toBe('<b>&"متجر"\uFFFD: 99.98%');
  expect(await badgeSvg({ label: '<b>&"متجر"\u0000', message: "99.98%", color: "brightgreen" })).toBe(svg);
  expect(await xpath(svg, "count(//*[local-name()='script' or local-name()='b'])")).toBe("0");
});
