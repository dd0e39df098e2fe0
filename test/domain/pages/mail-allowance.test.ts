import { describe, expect, test } from "bun:test";
import { decideMail, type PageMail, type SentNotices } from "../../../src/domain/pages/subscription.ts";

const DAY = 24 * 60 * 60 * 1000;
const TODAY = 20_000;
const now = TODAY * DAY + 1;

const outage: PageMail = { kind: "outage", component: "Shop", isDown: true, startedAt: now, endedAt: null };
const written: PageMail = { kind: "incident", title: "Storage", update: null, components: [], at: now };

function decide(mail: PageMail, counts: Partial<SentNotices>) {
  const subscriber = { sentDay: TODAY, sentCount: 0, writtenCount: 0, ...counts, confirmedAt: now };
  return decideMail({ mail, subscriber, page: { isPublic: true } }, now);
}

describe("behavior 15.81: a subscriber gets in a day", () => {
  test("twenty messages about outages, and twenty about incidents that people write, whatever came first", () => {
    expect(decide(outage, { sentCount: 20 })).toEqual({ send: false });
    expect(decide(written, { sentCount: 20 })).toMatchObject({ send: true, isLast: false });
    expect(decide(written, { writtenCount: 20 })).toEqual({ send: false });
    expect(decide(outage, { writtenCount: 20 })).toMatchObject({ send: true, isLast: false });
    expect(decide({ kind: "several", notices: [], count: 2 }, { sentCount: 20 })).toEqual({ send: false });
  });

  test("a twentieth of a kind that says that it is the last one", () => {
    expect(decide(outage, { sentCount: 19, writtenCount: 3 })).toEqual({
      ...{ send: true, isLast: true },
      counts: { sentDay: TODAY, sentCount: 20, writtenCount: 3 },
    });
    expect(decide(written, { sentCount: 3, writtenCount: 19 })).toMatchObject({ send: true, isLast: true });
  });

  test("as many on the next one", () => {
    expect(decide(written, { sentDay: TODAY - 1, sentCount: 20, writtenCount: 20 })).toMatchObject({
      counts: { sentDay: TODAY, sentCount: 0, writtenCount: 1 },
    });
  });
});
