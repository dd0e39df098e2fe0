import { expect, test } from "bun:test";
import { describeCertificateEnd } from "../../../src/dashboard/web/monitors/current-status.tsx";

test.each([
  ["2026-12-05", 14, "The client certificate expires in 14 days, on 2026-12-05."],
  ["2026-11-23", 1, "The client certificate expires in 1 day, on 2026-11-23."],
  ["2026-11-21", 0, "The client certificate expires in less than a day, on 2026-11-21."],
  ["2026-10-22", null, "The client certificate expired on 2026-10-22."],
])("behavior 26.13: the end of a client certificate on %s is described", (day, daysLeft, words) => {
  expect(describeCertificateEnd({ day, daysLeft })).toBe(words);
});
