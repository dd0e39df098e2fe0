import { describe, expect, test } from "bun:test";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";

const CRON =
  "config.cron must be a cron expression of five fields that runs at some time, such as 30 2 * * 1-5";
const NEVER =
  "config.cron must have a run in America/New_York: daylight saving time there skips each of its times";
const ZONE = "config.timezone must be the IANA name of a time zone, such as Europe/Berlin";
const PERIOD = "config.period must be a whole number from 10 to 31536000";
const GRACE = "config.grace must be a whole number from 0 to 31536000";

describe("behavior 3.11, 3.12, 3.13: the config of a SCHEDULED monitor", () => {
  test.each([
    [{}],
    [{ interval: 1 }],
    [{ cron: "30 2 * * 1-5" }],
    [{ cron: "0 0 29 2 *", timezone: "America/New_York" }],
    [{ cron: "30 2 8 3 *", timezone: "America/New_York" }],
    [{ cron: "30 2 * 3 0#2" }],
    [{ cron: "*/5 * * JAN-MAR MON", timezone: "UTC", grace: 0 }],
    [{ period: 10 }],
    [{ period: 31_536_000, grace: 31_536_000 }],
    [{ grace: 60 }],
  ])("may be %p, and has an interval of 300", (config) => {
    expect(parseConfig("SCHEDULED", config, "enterprise")).toEqual({ ...config, interval: 300 });
  });

  test.each([
    [{ cron: "* * * * * *" }, CRON],
    [{ cron: "0 0 0 * * * 2027" }, CRON],
    [{ cron: "* * * *" }, CRON],
    [{ cron: "@daily" }, CRON],
    [{ cron: "2027-01-01T00:00:00" }, CRON],
    [{ cron: "" }, CRON],
    [{ cron: "0 25 * * *" }, CRON],
    [{ cron: "0 0 30 2 *" }, CRON],
    [{ cron: "30 2 * 3 0#2", timezone: "America/New_York" }, NEVER],
    [{ cron: "0-59 2 * 3 0#2", timezone: "America/New_York" }, NEVER],
    [{ cron: "0 0 * * *", timezone: "Mars/Olympus" }, ZONE],
    [{ cron: "0 0 * * *", timezone: "+02:00" }, ZONE],
    [{ cron: "0 0 * * *", timezone: "" }, ZONE],
    [{ timezone: "UTC" }, "config.timezone must be left out if config.cron is not set"],
    [{ cron: "0 0 * * *", period: 60 }, "config.period must be left out if config.cron is set"],
    [{ period: 9 }, `${PERIOD}, got 9`],
    [{ period: 31_536_001 }, `${PERIOD}, got 31536001`],
    [{ period: 60.5 }, `${PERIOD}, got 60.5`],
    [{ grace: -1 }, `${GRACE}, got -1`],
    [{ grace: 31_536_001 }, `${GRACE}, got 31536001`],
    [{ period: null }, `${PERIOD}, got null`],
    [{ schedule: "0 0 * * *" }, "config.schedule is not a known field"],
  ])("may not be %p", (config, message) => {
    expect(() => parseConfig("SCHEDULED", config, "enterprise")).toThrow(message);
  });
});

test.each([
  ["@daily", "write 0 0 * * *"],
  ["@HOURLY", "write 0 * * * *"],
  ["TZ=Europe/Berlin 0 3 * * *", "give the time zone as timezone, beside cron"],
  ["CRON_TZ=UTC 0 3 * * *", "give the time zone as timezone, beside cron"],
  ["0 0 3 * * *", "a sixth field, of seconds or of a user, is left out: write 0 3 * * *"],
])("behavior 3.10: the message about the cron expression %s says what to write", (cron, hint) => {
  expect(() => parseConfig("SCHEDULED", { cron }, "enterprise")).toThrow(`: ${hint}`);
});

test.each(["0 3 L * *", "0 3 * * 5L", "0 3 15W * *", "0 3 * * 5#2"])(
  "behavior 3.10: the cron expression %s is taken",
  (cron) => {
    expect(parseConfig("SCHEDULED", { cron }, "enterprise")).toMatchObject({ cron });
  },
);
