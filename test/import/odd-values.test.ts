import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseDocument } from "../../src/domain/configuration/parse-document.ts";
import { jsonValues } from "../../src/import/api-answers.ts";
import { importBetterStack } from "../../src/import/betterstack/betterstack.ts";
import type { Imported } from "../../src/import/imported.ts";
import { readOpenstatus } from "../../src/import/openstatus/given.ts";
import { importOpenstatus } from "../../src/import/openstatus/openstatus.ts";
import { resolvedValue } from "../../src/import/output-config.ts";
import { importUpptime } from "../../src/import/upptime/upptime.ts";
import { importUptimeRobot } from "../../src/import/uptimerobot/uptimerobot.ts";
import { listedMonitor } from "../support/import/openstatus.ts";
import { walks } from "../support/long.ts";
import { randomNumbers } from "../support/people/random-numbers.ts";

/** The answers of an API in a file. */
function answersIn(path: string): unknown[] {
  return jsonValues(readFileSync(`test/fixtures/import/${path}`, "utf8")) ?? [];
}

const ENV = { SITE: "a.example.com" };

/** Files with every field, of which the values are replaced. */
const FILES: Record<string, { file: object; read: (value: unknown) => Imported | undefined; runs?: number }> =
  {
    Upptime: {
      file: {
        ...{ owner: "o", repo: "r", secrets: ["SITE"], workflowSchedule: { uptime: "*/5 * * * *" } },
        sites: [
          {
            ...{
              name: "A",
              slug: "a",
              url: "https://a.example.com",
              method: "POST",
              body: "x",
              headers: ["A: b"],
            },
            ...{
              expectedStatusCodes: [200],
              maxResponseTime: 100,
              maxRedirects: 2,
              requestTimeout: 3,
              tags: ["t"],
            },
            ...{ __dangerous__body_down: "x", __dangerous__body_down_if_text_missing: "y", ipv6: true },
          },
          { name: "B", check: "tcp-ping", url: "$SITE", port: 1, ipv6: true },
          { name: "C", check: "ssl", url: "c.example.com", port: 443 },
          { name: "D", check: "ws", url: "wss://d.example.com" },
          { name: "E", type: "globalping", url: "e.example.com", port: 8443, location: "x" },
        ],
        "status-website": {
          name: "N",
          introTitle: "T",
          baseUrl: "/b",
          navbar: [{ title: "x" }],
          publish: true,
        },
        ...{ i18n: {}, assignees: ["a"], notifications: [{ type: "slack" }] },
      },
      read: (value) => importUpptime(value, { env: ENV, withSecrets: true }),
    },
    openstatus: {
      file: {
        monitors: [
          listedMonitor({
            ...{ headers: [{ key: "a", value: "b" }], body: "x", method: "POST", degradedAfter: 3 },
            assertions: [
              { type: "status", compare: "eq", target: 200 },
              { type: "textBody", compare: "contains", target: "x" },
              { type: "header", compare: "eq", key: "x", target: "y" },
            ],
          }),
          listedMonitor({ id: 2, jobType: "tcp", url: "a:1" }),
          listedMonitor({
            ...{ id: 3, jobType: "dns", url: "a.example.com" },
            assertions: [{ type: "dnsRecord", key: "A", compare: "eq", target: "192.0.2.1" }],
          }),
        ],
        notifications: [
          {
            id: 1,
            name: "N",
            provider: "slack",
            payload: { slack: "https://hooks.slack.com/a" },
            monitors: [7],
          },
          {
            id: 2,
            name: "O",
            provider: "webhook",
            payload: { webhook: { endpoint: "https://a", headers: [{}] } },
          },
        ],
        pages: [{ title: "P", slug: "p", description: "d", accessType: "public", monitors: [7], groups: [] }],
        maintenances: [{ title: "M", message: "m", from: "2030-01-01", to: "2030-01-02", monitorIds: [7] }],
      },
      read: (value) => {
        const given = readOpenstatus(value);
        return given && importOpenstatus(given, { withSecrets: true, now: 0 });
      },
    },
    "version 2 of UptimeRobot": {
      runs: 300,
      file: answersIn("uptimerobot/version2.json"),
      read: (value) => importUptimeRobot([value], { withSecrets: true, now: 0 }),
    },
    "version 3 of UptimeRobot": {
      runs: 300,
      file: answersIn("uptimerobot/version3.json"),
      read: (value) => importUptimeRobot([value], { withSecrets: true, now: 0 }),
    },
    "Better Stack": {
      runs: 300,
      file: answersIn("betterstack/answers.json"),
      read: (value) => importBetterStack([value], { withSecrets: true }),
    },
  };

const ODD = [
  ...[null, true, false, 0, -1, 1e12, 0.5, "", " ", "x", "${", "$", "\ud800", "a\u0000b", "é".repeat(2000)],
  ...[[], {}, [null], [{}], [[]], { a: null }, "https://", "http://[::1", "0", "999", ["$A", 5], "☃"],
];

test.each(Object.keys(FILES))(
  "behavior 16.117, 16.123, 16.125, 16.127: odd values at any place of a file of %s give a document that a server takes",
  (product) => {
    const { file, read, runs = 1000 } = FILES[product] ?? { file: {}, read: () => undefined };
    const below = randomNumbers(20_261_129);
    let taken = 0;
    for (let at = 0; at < walks(runs); at++) {
      const value = withOdd(file, { below, chance: 1 + (at % 10) });
      const imported = read(value);
      if (!imported) continue;
      const { faults } = parseDocument(resolvedValue(imported.document, ENV));
      const unexpected = faults.filter(({ message }) => !message.includes("${"));
      if (unexpected.length > 0) expect({ value, faults }).toEqual({ value, faults: [] });
      taken += Object.keys(imported.document.monitors ?? {}).length;
    }
    // Otherwise the test would prove nothing.
    expect(taken).toBeGreaterThan(walks(runs / 4));
  },
);

/** A copy in which some values are odd ones. @param chance percent */
function withOdd(
  value: unknown,
  { below, chance }: { below: (most: number) => number; chance: number },
): unknown {
  if (below(99) < chance) return ODD[below(ODD.length - 1)];
  if (Array.isArray(value)) return value.map((one) => withOdd(one, { below, chance }));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withOdd(one, { below, chance })]),
  );
}
