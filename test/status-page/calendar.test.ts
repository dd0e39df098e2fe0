import { expect, test } from "bun:test";
import ICAL from "ical.js";
import { sync as nodeIcal } from "node-ical";
import type { PublicMaintenance } from "../../src/domain/pages/public-page.ts";
import { calendar } from "../../src/status-page/calendar.ts";
import { examplePage } from "../support/pages/example-page.ts";

const URL = "https://stillup.example/status/example";
const AT = Date.parse("2026-12-01T02:00:00Z");
const HOUR = 3_600_000;
const [, , ended] = examplePage().maintenances;

const maintenance = (changes: Partial<PublicMaintenance>): PublicMaintenance => {
  if (!ended) throw new Error("the example has changed");
  return { ...ended, state: "scheduled", startsAt: AT, endsAt: AT + HOUR, ...changes };
};

/**
 * Reads a calendar as strictly as RFC 5545 says: lines of at most 75 octets that end with CRLF, continued lines, names,
 * parameters, escapes, and components that are closed in their order. @returns the properties of each event
 */
function parse(text: string): Record<string, string>[] {
  expect(text).toEndWith("\r\n");
  const physical = text.slice(0, -2).split("\r\n");
  for (const line of physical) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n]/);
  }
  const lines = physical.join("\r\n").replaceAll("\r\n ", "").split("\r\n");
  const events: Record<string, string>[] = [];
  const open: string[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^([A-Z][A-Z-]*)(?:;[A-Z-]+=[\w-]+)*:([\P{Cc}\t]*)$/u.exec(line) ?? [];
    expect({ line, name }).not.toEqual({ line, name: "" });
    if (name === "BEGIN") {
      open.push(value);
      if (value === "VEVENT") events.push({});
    } else if (name === "END") expect(open.pop()).toBe(value);
    else if (open.at(-1) === "VEVENT") {
      const event = events.at(-1) ?? {};
      expect(event[name]).toBeUndefined();
      event[name] = value;
    }
  }
  expect(open).toEqual([]);
  expect(lines.slice(0, 3)).toEqual(["BEGIN:VCALENDAR", "VERSION:2.0", expect.stringMatching(/^PRODID:./)]);
  for (const event of events) {
    for (const name of ["DTSTAMP", "DTSTART", "DTEND"]) expect(event[name]).toMatch(/^\d{8}T\d{6}Z$/);
    expect(event.UID).toBeTruthy();
  }
  expect(new Set(events.map(({ UID }) => UID)).size).toBe(events.length);
  return events;
}

const unescaped = (value = "") => {
  expect(value).not.toMatch(/(?<!\\)(\\\\)*[;,]/);
  return value.replaceAll(/\\([\\;,nN])/g, (_, one: string) => (/n/i.test(one) ? "\n" : one));
};

test("behavior 15.109: has an event for each window of the page, with its times in UTC", () => {
  const events = parse(calendar(examplePage(), URL));
  expect(events).toHaveLength(3);
  expect(events[1]).toMatchObject({ DTSTART: "20261124T153000Z", DTEND: "20261124T183000Z", URL });
});

test("behavior 15.109: a title with any characters is the same after it was read, in lines that are short", () => {
  const title = `a;b,c\\n "${"ي".repeat(120)}" 🚀🚀🚀 ${"x".repeat(90)}`;
  const message = "first\r\nsecond\rthird\nBEGIN:VEVENT\u0007";
  const [event] = parse(calendar(examplePage({ maintenances: [maintenance({ title, message })] }), URL));
  expect(unescaped(event?.SUMMARY)).toBe(title);
  expect(unescaped(event?.DESCRIPTION)).toStartWith("first\nsecond\nthird\nBEGIN:VEVENT\n\n");
});

test("behavior 15.109: a maintenance that repeats has an event for each window", () => {
  const windows = [0, 1, 2].map((day) => ({
    startsAt: AT + day * 24 * HOUR,
    endsAt: AT + (day * 24 + 1) * HOUR,
  }));
  const repeats = { weekdays: [0, 1, 2, 3, 4, 5, 6], timezone: "UTC", windows };
  const events = parse(calendar(examplePage({ maintenances: [maintenance({ repeats })] }), URL));
  expect(events.map(({ DTSTART }) => DTSTART)).toEqual([
    "20261201T020000Z",
    "20261202T020000Z",
    "20261203T020000Z",
  ]);
});

test("behavior 15.109: a calendar without events has a time zone, because it must have a component", () => {
  const text = calendar({ ...examplePage(), maintenances: [] }, URL);
  expect(parse(text)).toEqual([]);
  const components = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents();
  expect(components.map(({ name }) => name)).toEqual(["vtimezone"]);
  expect(Object.values(nodeIcal.parseICS(text)).filter((one) => one?.type === "VEVENT")).toEqual([]);
});
