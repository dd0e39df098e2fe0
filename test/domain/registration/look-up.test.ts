import { expect, test } from "bun:test";
import {
  afterLookUp,
  judgeRegistration,
  type LookUp,
  type StoredRegistration,
} from "../../../src/domain/registration/registration.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 27);

const facts = {
  expiresAt: new Date(NOW + 60 * DAY).toISOString(),
  registrar: null,
  statuses: ["ok"],
};
const answered: LookUp = { outcome: "answered", facts };
const notFound: LookUp = { outcome: "not_found" };
const broken: LookUp = { outcome: "refused", message: "it answered 503" };
const silent: LookUp = { outcome: "unanswered", message: "no route" };

/** Looks up a domain, each time when it is due. */
function walk(...results: LookUp[]): { stored: StoredRegistration; now: number } {
  let stored: StoredRegistration | null = null;
  let now = NOW;
  for (const result of results) {
    now = (stored as StoredRegistration | null)?.nextAt ?? now;
    stored = afterLookUp(
      stored,
      { domain: "example.com", registry: "rdap.example", result },
      { now, jitter: 0.5 },
    );
  }
  if (!stored) throw new Error("nothing was looked up");
  return { stored, now };
}

function statusAt(stored: StoredRegistration, now: number, warnDays = 30): string {
  return judgeRegistration(stored, warnDays, now).status;
}

test("behavior 20.73: a domain is looked up again after a day and some time", () => {
  const { stored } = walk(answered);
  expect(stored).toMatchObject({ facts, answeredAt: NOW, failingSince: null, nextAt: NOW + DAY + HOUR });
});

test("behavior 20.73: while nothing is known, the pauses grow from an hour to a day", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7].map((count) => {
    const { stored, now } = walk(...Array<LookUp>(count).fill(silent));
    return (stored.nextAt - now) / HOUR;
  });
  expect(pauses).toEqual([1, 1, 2, 4, 8, 16, 25]);
});

test("behavior 20.73: a registry that wants a pause gets it, at most a week", () => {
  const pause = (retryAfter: number) => walk({ ...broken, retryAfter } as LookUp).stored;
  expect(pause(3 * DAY)).toMatchObject({ nextAt: NOW + 3 * DAY, pausedUntil: NOW + 3 * DAY });
  expect(pause(60_000)).toMatchObject({ nextAt: NOW + HOUR, pausedUntil: NOW + 60_000 });
  expect(pause(365 * DAY).pausedUntil).toBe(NOW + 7 * DAY);
});

test("behavior 20.77: the status follows from the date and from the days of the config", () => {
  const { stored } = walk(answered);
  const soon = { ...stored, answeredAt: NOW + 29 * DAY };
  const late = { ...stored, answeredAt: NOW + 59 * DAY };
  expect(statusAt(soon, NOW + 30 * DAY - 1)).toBe("active");
  expect(statusAt(soon, NOW + 30 * DAY)).toBe("expiring_soon");
  expect(statusAt(soon, NOW + 30 * DAY, 29)).toBe("active");
  expect(statusAt(late, NOW + 60 * DAY)).toBe("expired");
});

test.each(["redemptionPeriod", "pendingDelete", "clientHold", "serverHold"])(
  "behavior 20.77: a domain in %s counts as expired",
  (status) => {
    const { stored } = walk({ outcome: "answered", facts: { ...facts, statuses: ["ok", status] } });
    expect(statusAt(stored, NOW)).toBe("expired");
  },
);

test("behavior 20.78: while look-ups fail, the last good answer holds, and nothing becomes worse", () => {
  for (const result of [broken, silent, { outcome: "no_date" } as const]) {
    const { stored } = walk(answered, ...Array<LookUp>(5).fill(result));
    expect(stored.facts).toEqual(facts);
    expect(statusAt(stored, NOW + 365 * DAY)).toBe("active");
    const again = afterLookUp(
      stored,
      { domain: "example.com", registry: "rdap.example", result: answered },
      { now: NOW + 45 * DAY, jitter: 0 },
    );
    expect(statusAt(again, NOW + 45 * DAY)).toBe("expiring_soon");
  }
});

test("behavior 20.78: a server that was stopped for long does not judge by an old answer", () => {
  const { stored } = walk(answered);
  expect(statusAt(stored, NOW + 100 * DAY)).toBe("active");
});

test("behavior 20.79: a domain that the registry does not know three days in a row counts as expired", () => {
  expect(statusAt(walk(answered, notFound, notFound).stored, NOW + 3 * DAY)).toBe("active");
  const { stored } = walk(answered, notFound, notFound, notFound);
  expect(statusAt(stored, NOW + 4 * DAY)).toBe("expired");
  expect(judgeRegistration(stored, 30, NOW).words).toBe("is not known to the registry any more");
  expect(statusAt(walk(notFound, notFound, notFound).stored, NOW + 3 * DAY)).toBe("expired");
  expect(statusAt(walk(notFound, notFound, notFound, answered).stored, NOW + 4 * DAY)).toBe("active");
});

test("behavior 20.79: another answer of the registry ends the row, a network that fails does not", () => {
  expect(walk(notFound, notFound, broken, notFound).stored.notFound).toBe(1);
  const paused: LookUp = { ...silent, retryAfter: 2 * DAY };
  expect(walk(notFound, notFound, silent, paused, notFound).stored.notFound).toBe(3);
});

test("behavior 20.79: answers of the same day count once", () => {
  const { stored } = walk(notFound);
  const hourLater = afterLookUp(
    stored,
    { domain: "example.com", registry: "rdap.example", result: notFound },
    { now: NOW + HOUR, jitter: 0 },
  );
  expect([hourLater.notFound, hourLater.notFoundAt]).toEqual([1, NOW]);
});
