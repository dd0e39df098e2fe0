import type { ReportContents } from "../../../src/domain/reports/report-contents.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2027, 2, 1);

const LONG = "Checkout of the shop in the north with a name that is longer";

/** As much as a report can contain: each part is full, with long names. */
export function fullContents(): ReportContents {
  const many = <Entry>(count: number, of: (at: number) => Entry) =>
    Array.from({ length: count }, (_, at) => of(at));
  return {
    total: { uptime: "99.42%", before: "99.98%", outages: 19, downMs: 182 * MINUTE },
    monitors: {
      entries: many(12, (at) => ({
        name: at === 1 ? "חנות (1)" : at % 3 === 0 ? `${LONG} ${at}` : `Monitor ${at}`,
        uptime: at === 11 ? null : `9${at % 10}.${10 + at}%`,
        before: "100.00%",
      })),
      others: 26,
    },
    outages: {
      entries: many(8, (at) => ({
        name: at % 2 === 0 ? LONG : `Monitor ${at}`,
        startedAt: START + at * 3 * DAY,
        endedAt: at === 7 ? null : START + at * 3 * DAY + 34 * MINUTE,
        lengthMs: 34 * MINUTE,
        cause:
          at === 3
            ? null
            : "The certificate changed at this check: it is valid for www.example.net, not for shop.example.com and not for any other name",
      })),
      others: 11,
    },
    missed: { entries: many(4, (at) => ({ name: `Backup ${at}`, count: 4 - at })), others: 2 },
    ends: {
      entries: many(5, (at) => ({
        name: `host${at}.example.com`,
        what: at % 2 === 0 ? ("certificate" as const) : ("domain" as const),
        at: START + (32 + at) * DAY,
      })),
      others: 1,
    },
    maintenances: {
      entries: many(4, (at) => ({
        title: `Move to another rack ${at}`,
        startsAt: START + at * DAY,
        endsAt: at === 3 ? null : START + at * DAY + 90 * MINUTE,
      })),
      others: 3,
    },
  };
}
