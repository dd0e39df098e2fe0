import { expect, test } from "bun:test";
import { type ComponentStatus, indicatorOf, summaryOf } from "../../../src/domain/pages/component-status.ts";
import type { Impact } from "../../../src/domain/pages/incident.ts";

const statuses: Record<string, ComponentStatus> = {
  up: "operational",
  slow: "degraded_performance",
  down: "major_outage",
  window: "under_maintenance",
};

test.each<[string, Impact[], Impact, string]>([
  ["", [], "none", "All Systems Operational"],
  ["up up", [], "none", "All Systems Operational"],
  ["up slow", [], "minor", "Minor Service Outage"],
  ["slow slow", [], "minor", "Minor Service Outage"],
  ["up slow down", [], "major", "Partial System Outage"],
  ["down", [], "critical", "Major Service Outage"],
  ["down down", [], "critical", "Major Service Outage"],
  ["window", [], "none", "Service Under Maintenance"],
  ["up window", [], "none", "Service Under Maintenance"],
  ["slow window", [], "minor", "Minor Service Outage"],
  ["down window", [], "critical", "Major Service Outage"],
  ["down up window", [], "major", "Partial System Outage"],
  ["", ["critical"], "critical", "Major Service Outage"],
  ["up", ["none"], "none", "All Systems Operational"],
  ["up", ["minor", "none"], "minor", "Minor Service Outage"],
  ["slow", ["major"], "major", "Partial System Outage"],
  ["up down", ["minor"], "major", "Partial System Outage"],
  ["up down", ["critical"], "critical", "Major Service Outage"],
])(
  "behavior 15.23, 15.24: components %p with open incidents %p are %p: %p",
  (words, impacts, indicator, summary) => {
    const components = words.split(" ").flatMap((word) => {
      const status = statuses[word];
      return status ? [{ status }] : [];
    });
    const found = indicatorOf(
      components,
      impacts.map((impact) => ({ impact })),
    );
    expect(found).toBe(indicator);
    expect(summaryOf(found, components)).toBe(summary);
  },
);
