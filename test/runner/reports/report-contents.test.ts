import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Certificate } from "../../../src/domain/checks/certificate.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig, MonitorType } from "../../../src/domain/monitors/monitor.ts";
import { periodFrom, type ReportKind, type ReportMail } from "../../../src/domain/reports/report-mail.ts";
import { renderReport } from "../../../src/runner/reports/report-sender.ts";
import { DAY, HOUR, MINUTE, World } from "../../store/contract/world.ts";
import { engines } from "../../support/store/engines.ts";
import { createMaintenanceRun } from "../../support/store/states.ts";

setDefaultTimeout(300_000);

/** From a moment until another; milliseconds since 1970. */
interface Stretch {
  from: number;
  to: number;
}

/** The true history of a monitor, in whole minutes: when it was checked, down, and in maintenance. */
interface Truth {
  checked: Stretch[];
  down: Stretch[];
  maintenance?: Stretch[];
}

const UNTIL_NOW = Number.POSITIVE_INFINITY;
const isIn = (stretches: readonly Stretch[], at: number) =>
  stretches.some(({ from, to }) => from <= at && at < to);

/** The share of the good minutes of some monitors, counted minute by minute, as reports show it. */
function countedUptime(truths: readonly Truth[], { from, to }: Stretch): string {
  let [good, all] = [0, 0];
  for (const { checked, down, maintenance = [] } of truths)
    for (let at = from; at < to; at += MINUTE) {
      if (!isIn(checked, at) || isIn(maintenance, at)) continue;
      all++;
      if (!isIn(down, at)) good++;
    }
  if (all === 0) return "–";
  return `${(Math.floor((good * 10_000) / all) / 100).toFixed(2)}%`;
}

/** The lines of a report in English, by their heading. */
function partsOf(text: string): Map<string, string[]> {
  const parts = text.trim().split("\n\n").slice(1, -1);
  return new Map(
    parts.map((part) => {
      const [first = "", ...lines] = part.split("\n");
      const [heading = ""] = first.split(":");
      return [heading, [first, ...lines]];
    }),
  );
}

function certificateUntil(end: number): Certificate {
  return {
    ...{ authorized: true, authorizationError: null, subject: "CN=a", issuer: "CN=b", names: ["a"] },
    ...{ validFrom: "2026-01-01T00:00:00.000Z", validTo: new Date(end).toISOString() },
    ...{ fingerprint: `AA:${end}`, protocol: "TLSv1.3" },
  };
}

const tlsUntil = (end: number) => ({
  ...{ protocol: "TLSv1.3", cipher: null, validTo: new Date(end).toISOString(), advice: [] },
});

const GOOD: Evidence = { outcome: "reached", latencyMs: 5, detail: {} };
const REFUSED: Evidence = { outcome: "failed", reason: "refused", detail: {} };

/** A world in which monitors have a history, and what is true of them. */
class History {
  readonly truths = new Map<string, Truth>();

  private constructor(readonly world: World) {}

  static async create(engine: (typeof engines)[number]): Promise<History> {
    return new History(await World.create(await engine.open()));
  }

  async monitor<T extends MonitorType>(
    name: string,
    { type, config, at }: { type: T; config: MonitorConfig<T>; at: number },
  ): Promise<string> {
    const values = { name, type, config: config as MonitorConfig, alertChannelIds: [] };
    return (await this.world.store.monitors.create(this.world.owner, values, at)).id;
  }

  /** A monitor that is checked each hour, and when it goes down and up. */
  async site(name: string, { checked, down }: { checked: Stretch; down: Stretch[] }): Promise<string> {
    const config = { host: "a", port: 1, interval: 3600 };
    const id = await this.monitor(name, { type: "TCP", config, at: checked.from });
    const moments = new Set(down.flatMap(({ from, to }) => [from, to]));
    for (let at = checked.from; at < checked.to; at += HOUR) moments.add(at);
    const checks = [...moments]
      .filter((at) => at >= checked.from && at < checked.to)
      .toSorted((a, b) => a - b)
      .map((at) => ({ at, evidence: isIn(down, at) ? REFUSED : GOOD }));
    await this.record(id, checks);
    this.truths.set(name, { checked: [{ ...checked, to: UNTIL_NOW }], down });
    return id;
  }

  async record(monitorId: string, checks: readonly { at: number; evidence: Evidence }[]): Promise<void> {
    for (let first = 0; first < checks.length; first += 200) {
      const some = checks.slice(first, first + 200);
      await this.world.store.recording.record(
        some.map((check) => ({ kind: "check" as const, monitorId, revision: 0, ...check })),
      );
    }
  }

  async report(
    { kind, first, timezone }: { kind: ReportKind; first: string; timezone: string },
    values: Partial<ReportMail> = {},
  ): Promise<{ parts: Map<string, string[]>; text: string; html: string }> {
    const { store, organizationId } = this.world;
    const request = { title: "Ours", kind, selector: { all: true as const }, to: ["a@b.example"], timezone };
    const report = {
      ...(await store.reportMails.create(organizationId, request, Date.parse(first))),
      ...values,
    };
    const period = periodFrom(kind, first);
    if (!period) throw new Error(`no ${kind} begins on ${first}`);
    const rendered = await renderReport(store, {
      organizationId,
      report,
      period,
      baseUrl: "https://up.example",
    });
    return { ...rendered, parts: partsOf(rendered.text) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

describe.each(engines)("behavior 23.75: on $name, a report by mail", (engine) => {
  /** March in Berlin has an hour less, in which the clocks are changed. */
  const MARCH = { from: Date.UTC(2027, 1, 28, 23), to: Date.UTC(2027, 2, 31, 22) };
  const FEBRUARY = { from: Date.UTC(2027, 0, 31, 23), to: MARCH.from };
  const start = FEBRUARY.from - 10 * DAY;
  const end = MARCH.to + 8 * HOUR;
  const RTL = "דוגמה (x)";
  let history: History;
  let march: Awaited<ReturnType<History["report"]>>;

  beforeAll(async () => {
    history = await History.create(engine);
    const { world } = history;
    const lasting = { from: start, to: end };
    const inside = { from: MARCH.from + 9 * DAY, to: MARCH.from + 9 * DAY + 90 * MINUTE };
    await history.site("steady", {
      checked: lasting,
      down: [
        { from: MARCH.from - 5 * HOUR, to: MARCH.from + 3 * HOUR },
        inside,
        // While the clocks are set forward.
        { from: Date.UTC(2027, 2, 28, 0, 30), to: Date.UTC(2027, 2, 28, 1, 30) },
        { from: MARCH.to - 2 * HOUR, to: MARCH.to + 4 * HOUR },
      ],
    });
    const created = MARCH.from + 10 * DAY + 12 * HOUR;
    const down = [{ from: created + DAY, to: created + DAY + 61 * MINUTE }];
    await history.site("fresh", { checked: { from: created, to: end }, down });
    const last = MARCH.from - 2 * DAY;
    const paused = await history.site("paused", { checked: { from: start, to: last }, down: [] });
    history.truths.set("paused", { checked: [{ from: start, to: last + HOUR }], down: [] });
    await world.store.monitors.update(world.owner, paused, { enabled: false }, last + MINUTE);
    const gone = await history.site("deleted", { checked: lasting, down: [inside] });
    history.truths.delete("deleted");
    await world.store.monitors.delete(world.organizationId, gone);
    await history.site("later", { checked: { from: MARCH.to + HOUR, to: end }, down: [] });
    history.truths.delete("later");
    await history.site('<b onclick="x()">bold</b> &amp;', { checked: lasting, down: [] });
    await history.site(RTL, { checked: lasting, down: [] });

    const job = await history.monitor("backup", {
      ...{ type: "SCHEDULED" as const, at: start },
      config: { interval: 300, period: 86_400, grace: 3600 },
    });
    const missing = [-3, 4, 5, 20];
    const firstRun = FEBRUARY.from - 9 * DAY;
    const jobDown: Stretch[] = [];
    for (let day = -37; MARCH.from + day * DAY < MARCH.to; day++) {
      const at = MARCH.from + day * DAY;
      if (missing.includes(day)) {
        const silence = { kind: "silence" as const, monitorId: job, at: at + HOUR + 1 };
        await world.store.recording.record([silence]);
        const open = jobDown.at(-1);
        if (open?.to !== UNTIL_NOW) jobDown.push({ from: at + HOUR, to: UNTIL_NOW });
      } else {
        await world.checkin(job, "ok", at);
        const open = jobDown.at(-1);
        if (open?.to === UNTIL_NOW) open.to = at;
      }
    }
    history.truths.set("backup", { checked: [{ from: firstRun, to: UNTIL_NOW }], down: jobDown });

    const window = { from: MARCH.from + 25 * DAY, to: MARCH.from + 25 * DAY + 2 * HOUR };
    await createMaintenanceRun(world.opened.db, { startsAt: window.from, endsAt: window.to });
    await createMaintenanceRun(world.opened.db, {
      startsAt: MARCH.from - DAY,
      endsAt: MARCH.from - DAY + HOUR,
    });
    for (const truth of history.truths.values())
      truth.maintenance = [window, { from: MARCH.from - DAY, to: MARCH.from - DAY + HOUR }];
    march = await history.report({ kind: "month", first: "2027-03-01", timezone: "Europe/Berlin" });
  });

  afterAll(() => history[Symbol.asyncDispose]());

  test("has the uptime of each monitor and of all, against the period before", () => {
    const [heading, ...lines] = march.parts.get("Uptime") ?? [];
    const both = (truths: readonly Truth[]) =>
      `${countedUptime(truths, MARCH)} (before: ${countedUptime(truths, FEBRUARY)})`;
    const expected = [...history.truths].map(([name, truth]) => {
      const shown = name === RTL ? `\u2068${name}\u2069` : name;
      return `- ${shown}: ${both([truth])}`;
    });
    expect(lines.toSorted()).toEqual(expected.toSorted());
    expect(heading).toBe(`Uptime: ${both([...history.truths.values()])}`);
    // The lowest first, and last what was not measured.
    const shares = lines.map((line) => Number.parseFloat(/: ([\d.]+)%/.exec(line)?.[1] ?? "101"));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(lines.at(-1)).toStartWith("- paused: – (before: 100.00%");
  });

  test("has the outages with their length and cause, also those that span an end of the period", () => {
    const [heading, ...lines] = march.parts.get("Outages") ?? [];
    const moments = new Intl.DateTimeFormat("en", {
      ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
      timeZone: "Europe/Berlin",
    } as const);
    const named = [...history.truths].flatMap(([name, { down }]) =>
      down
        .filter(({ from, to }) => from < MARCH.to && to > MARCH.from)
        .map(({ from, to }) => ({ name, from, length: (Math.min(to, MARCH.to) - from) / MINUTE })),
    );
    expect(heading).toStartWith(`Outages: ${named.length} · `);
    const shown = lines.filter((line) => line.startsWith("- "));
    const inOrder = named.toSorted((a, b) => a.from - b.from);
    for (const [at, { name, from }] of inOrder.entries())
      expect(shown[at]).toStartWith(`- ${name}: ${moments.format(from)}`);
    const minutes = shown.map((line) => {
      const part = (unit: string) => Number(new RegExp(`(\\d+) ${unit}`).exec(line)?.[1] ?? 0);
      return part("days?") * 1440 + part("hrs?") * 60 + part("mins?");
    });
    expect(minutes).toEqual(inOrder.map(({ length }) => length));
    expect(shown.filter((line) => line.endsWith("· In progress"))).toHaveLength(1);
    expect(lines.filter((line) => line === "  a refuses connections on port 1")).toHaveLength(5);
  });

  test("has missed runs and maintenances of the period only", () => {
    expect(march.parts.get("Missed runs")).toEqual(["Missed runs", "- backup: 3"]);
    expect(march.parts.get("Maintenance")?.slice(1)).toEqual([
      expect.stringMatching(/^- Upgrade: Mar 26, 00:00/),
    ]);
  });

  test("shows what people wrote as text, in its own direction", () => {
    expect(march.html).not.toMatch(/<b>|<b |onclick="/);
    expect(march.html).toContain("&lt;b onclick=&quot;x()&quot;&gt;bold&lt;/b&gt; &amp;amp;");
    expect(march.html).toContain(`>\u2068${RTL}\u2069</td>`);
  });

  test("names neither deleted monitors nor those that were created after the period", () => {
    expect(march.text).not.toContain("deleted");
    expect(march.text).not.toContain("later");
  });

  test("has a day of a time zone with half an hour", async () => {
    const day = { from: Date.UTC(2027, 2, 9, 18, 30), to: Date.UTC(2027, 2, 10, 18, 30) };
    const { parts } = await history.report({ kind: "day", first: "2027-03-10", timezone: "Asia/Kolkata" });
    const steady = history.truths.get("steady") as Truth;
    const before = { from: day.from - DAY, to: day.from };
    expect(parts.get("Uptime")).toContain(
      `- steady: ${countedUptime([steady], day)} (before: ${countedUptime([steady], before)})`,
    );
  });

  test("is a report also without any monitor, and before there was any", async () => {
    const nothing = ["Uptime: – (before: –)"];
    const none = { selector: { tags: ["none"] } };
    const when = { kind: "month", first: "2027-03-01", timezone: "UTC" } as const;
    expect((await history.report(when, none)).parts.get("Uptime")).toEqual(nothing);
    const early = await history.report({ kind: "month", first: "2020-02-01", timezone: "UTC" });
    expect(early.parts.get("Uptime")).toEqual(nothing);
  });
});

describe.each(engines)("behavior 23.75: on $name, certificates and domains in a report", (engine) => {
  const MARCH = { kind: "month", first: "2027-03-01", timezone: "UTC" } as const;
  const end = Date.UTC(2027, 3, 1);
  const at = end - HOUR;

  test("are those that end within 30 days of its end, of whatever protocol, each monitor for itself", async () => {
    await using history = await History.create(engine);
    const tls = async (name: string, until: number) => {
      const config = { host: "a.example", port: 443, interval: 60 };
      const id = await history.monitor(name, { type: "TLS", config, at });
      const seen = {
        outcome: "certified",
        latencyMs: 1,
        certificate: certificateUntil(until),
        detail: {},
      } as const;
      await history.record(id, [{ at, evidence: { ...seen, tls: tlsUntil(until) } }]);
    };
    await tls("shop", end + 5 * DAY);
    await tls("shop", end + 6 * DAY);
    await tls("last moment", end + 30 * DAY - MINUTE);
    await tls("long", end + 30 * DAY);
    const site = await history.monitor("site", {
      ...{ type: "HTTP" as const, at },
      config: { url: "https://a.example/", interval: 60 },
    });
    await history.record(site, [{ at, evidence: { ...GOOD, tls: tlsUntil(end + 7 * DAY) } as Evidence }]);
    const mail = await history.monitor("mail", {
      ...{ type: "TCP" as const, at },
      config: { host: "a.example", port: 25, protocol: "smtp", tls: "starttls", interval: 60 },
    });
    const certificate = certificateUntil(end + 8 * DAY);
    await history.record(mail, [{ at, evidence: { ...GOOD, certificate } as Evidence }]);
    const { parts } = await history.report(MARCH);
    const lines = parts.get("Ending within 30 days")?.slice(1) ?? [];
    expect(lines.map((line) => line.replace(/: .*/, ""))).toEqual([
      "- shop (certificate)",
      "- shop (certificate)",
      "- site (certificate)",
      "- mail (certificate)",
      "- last moment (certificate)",
    ]);
    expect(lines[0]).toContain("Apr 6, 2027");
  });

  test("name a domain also while the checks of its monitor fail", async () => {
    await using history = await History.create(engine);
    const config = { host: "www.shop.example.co.uk", port: 443, interval: 60, registration: true as const };
    const id = await history.monitor("shop", { type: "TLS", config, at });
    const facts = { expiresAt: new Date(end + 3 * DAY).toISOString(), registrar: null, statuses: [] };
    await history.world.store.registrations.save({
      ...{ domain: "example.co.uk", registry: "https://rdap.example/", facts, answeredAt: at },
      ...{
        failingSince: null,
        notFound: 0,
        notFoundAt: null,
        hasNoDate: false,
        nextAt: at,
        pausedUntil: null,
      },
    });
    await history.record(id, [{ at, evidence: REFUSED }]);
    const { parts } = await history.report(MARCH);
    expect(parts.get("Ending within 30 days")?.[1]).toStartWith("- shop (domain): Apr 4, 2027");
  });
});

describe.each(engines)("behavior 23.75: on $name, a report about 300 monitors", (engine) => {
  test("lists the lowest uptimes, and counts the others", async () => {
    await using history = await History.create(engine);
    const { world } = history;
    const from = Date.UTC(2027, 2, 1);
    const entries = Array.from({ length: 300 }, (_, at) => {
      const config = { host: "a", port: 1, interval: 3600 };
      return [`m${String(at).padStart(3, "0")}`, { type: "TCP", config }];
    });
    const document = { monitors: Object.fromEntries(entries) };
    const how = { prune: "none", isDryRun: false } as const;
    await world.store.configuration.apply(world.organizationId, document, how, from - DAY);
    const ids: { id: string; name: string }[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const wanted = { month: { from, to: from + DAY }, after };
      const slice = await world.store.reports.readMonth(world.organizationId, wanted);
      ids.push(...slice.monitors);
      after = slice.end;
    }
    expect(ids).toHaveLength(300);
    const bad = ids.filter(({ name }) => /[05]0$/.test(name));
    await world.store.recording.record(
      ids.map(({ id }) => ({
        kind: "check" as const,
        monitorId: id,
        revision: 0,
        evidence: GOOD,
        at: from - HOUR,
      })),
    );
    for (const [at, evidence] of [
      [from + HOUR, REFUSED],
      [from + 2 * HOUR, GOOD],
    ] as const)
      for (const { id } of bad) await history.record(id, [{ at, evidence }]);
    const { parts } = await history.report({ kind: "day", first: "2027-03-01", timezone: "UTC" });
    const [, ...lines] = parts.get("Uptime") ?? [];
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe("- and 288 more");
    const names = lines.slice(0, 6).map((line) => line.slice(2, 6));
    expect(names).toEqual(["m000", "m050", "m100", "m150", "m200", "m250"]);
    expect(parts.get("Outages")?.[0]).toStartWith("Outages: 6 · ");
  });
});

describe.each(engines)(
  "behavior 23.75: on $name, a report about monitors with hours without checks",
  (engine) => {
    const NOW_FROM = Date.UTC(2027, 2, 8);
    const STEADY = [0, 1, 2, 3];
    const UNSTEADY = [0, 2, 5, 9];

    test.each([
      { title: "in the period before", before: UNSTEADY, now: STEADY },
      { title: "in the period", before: STEADY, now: UNSTEADY },
    ])("compares each with itself if they were not checked in each hour $title", async ({ before, now }) => {
      await using history = await History.create(engine);
      const ids: string[] = [];
      for (let count = 10; count < 40; count++) {
        const config = { host: "a", port: 1, interval: 3600 };
        ids.push(await history.monitor(`m${count}`, { type: "TCP", config, at: NOW_FROM - 7 * DAY }));
      }
      for (const [at, id] of ids.entries())
        for (const [start, hours] of [
          [NOW_FROM - 5 * DAY, before],
          [NOW_FROM + 2 * DAY, now],
        ] as const)
          await history.record(
            id,
            hours.map((hour, turn) => ({
              at: start + hour * HOUR + at * MINUTE,
              evidence: turn === 1 && hours === UNSTEADY ? REFUSED : GOOD,
            })),
          );
      const linesOf = async (values: Partial<ReportMail>) => {
        const period = { kind: "week", first: "2027-03-08", timezone: "UTC" } as const;
        const { parts } = await history.report(period, values);
        return (parts.get("Uptime") ?? []).slice(1).filter((line) => /^- m\d+/.test(line));
      };
      const lines = await linesOf({});
      expect(lines.length).toBeGreaterThan(10);
      const alone: string[] = [];
      for (const line of lines) {
        const id = ids[Number(line.slice(3, 5)) - 10] ?? "";
        alone.push(...(await linesOf({ selector: { monitorIds: [id] } })));
      }
      expect(lines).toEqual(alone);
      for (const line of lines) expect(line.match(/%/g)).toHaveLength(2);
    });
  },
);
