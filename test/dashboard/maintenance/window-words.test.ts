import { expect, test } from "bun:test";
import {
  describeDistance,
  describeWindow,
} from "../../../src/dashboard/web/maintenance/maintenance-words.ts";

const at = (text: string) => Date.parse(text);
const english = { locale: "en-GB", timeZone: "Europe/Berlin" };

/** The spaces of `Intl` differ by version. */
const plain = (text: string) => text.replace(/\s*–\s*/gu, " – ").replace(/\s/gu, " ");

test("behavior 14.95: a window is described in words, with its length", () => {
  const window = { startsAt: at("2026-11-24T01:00:00Z"), endsAt: at("2026-11-24T02:30:00Z") };
  expect(plain(describeWindow(window, english))).toBe("Tue, 24 Nov 2026, 02:00 – 03:30 (1 h 30 min)");
});

test("behavior 14.95: a window over midnight names both days", () => {
  const window = { startsAt: at("2026-11-24T21:00:00Z"), endsAt: at("2026-11-25T01:00:00Z") };
  expect(plain(describeWindow(window, english))).toBe(
    "Tue, 24 Nov 2026, 22:00 – Wed, 25 Nov 2026, 02:00 (4 h)",
  );
});

test("behavior 14.95: over a change of clocks, the length is the time that elapses", () => {
  const window = { startsAt: at("2026-10-25T00:00:00Z"), endsAt: at("2026-10-25T02:00:00Z") };
  expect(plain(describeWindow(window, english))).toBe("Sun, 25 Oct 2026, 02:00 – 03:00 (2 h)");
});

test("behavior 14.95: says how far away a window is", () => {
  const window = { startsAt: 100_000, endsAt: 160_000 };
  expect(describeDistance(window, 40_000)).toBe("in 1 min");
  expect(describeDistance(window, 130_000)).toBe("open now, ends in 30 s");
  expect(describeDistance(window, 160_000)).toBe("over");
});
