import { expect, test } from "bun:test";
import { importedFrom, kumaMonitor } from "../../support/import/kuma.ts";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;

test("behavior 16.102: the results of the last 90 days are history, without the present day", () => {
  const { document } = importedFrom({
    monitors: [
      kumaMonitor({ id: 1 }),
      kumaMonitor({ id: 2, name: "Job", type: "push" }),
      kumaMonitor({ id: 3, name: "Router", type: "docker" }),
    ],
    days: [
      { monitor_id: 1, timestamp: day("2026-11-21"), up: 1437, down: 3, ping: 120.456 },
      { monitor_id: 1, timestamp: day("2026-11-20"), up: 0, down: 5, ping: 0 },
      { monitor_id: 1, timestamp: day("2026-11-22"), up: 5, down: 0, ping: 9 },
      { monitor_id: 1, timestamp: day("2026-08-24"), up: 1, down: 0, ping: 9 },
      { monitor_id: 1, timestamp: day("2026-08-23"), up: 1, down: 0, ping: 9 },
      { monitor_id: 2, timestamp: day("2026-11-21"), up: 24, down: 0, ping: 7 },
      { monitor_id: 3, timestamp: day("2026-11-21"), up: 24, down: 0, ping: 7 },
      { monitor_id: 1, timestamp: "never", up: 24, down: 0, ping: 7 },
      { monitor_id: 1, timestamp: day("2026-11-19"), up: 0, down: 0, ping: 7 },
    ],
  });
  expect(document.history).toEqual({
    shop: {
      "2026-08-24": { up: 1, down: 0, latency: 9 },
      "2026-11-20": { up: 0, down: 5 },
      "2026-11-21": { up: 1437, down: 3, latency: 120.5 },
    },
    job: { "2026-11-21": { up: 24, down: 0 } },
  });
});
