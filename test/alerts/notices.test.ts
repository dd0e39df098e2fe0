import { describe, expect, test } from "bun:test";
import { deliver } from "../../src/alerts/deliver.ts";
import { discordMessage } from "../../src/alerts/discord.ts";
import { deliverEmail, mailOf } from "../../src/alerts/mail.ts";
import { describeEvent } from "../../src/alerts/message.ts";
import { slackMessage } from "../../src/alerts/slack.ts";
import { teamsMessage } from "../../src/alerts/teams.ts";
import type { LocationNotice, Notice } from "../../src/domain/alerts/alert-event.ts";
import type { Transition } from "../../src/domain/alerts/delivery.ts";
import { oneLine } from "../../src/domain/truncate.ts";
import { blind, connected, ended, notices, resumed, silent, started } from "../support/alerts/notices.ts";
import { reachWith } from "../support/alerts/reach.ts";
import { AT, down, HOSTILE, notified, recovery } from "../support/alerts/transitions.ts";
import { withoutWords } from "../support/alerts/words.ts";
import { readPage } from "../support/documentation/page.ts";
import { MailServer } from "../support/servers/mail-server.ts";
import { Receiver } from "../support/servers/receiver.ts";

const BASE = "https://up.example.com";
const forms = { SLACK: slackMessage, DISCORD: discordMessage, TEAMS: teamsMessage, EMAIL: mailOf };

describe("behavior 13.61: the message", () => {
  test("that a location is silent says for how long, and links to the locations", () => {
    expect(withoutWords(describeEvent(silent, BASE))).toEqual({
      title: "Location fra is silent",
      reason: "Its probe has sent no request for 1 min 1 s. Until there is one, its checks do not count.",
      facts: [{ label: "Since", value: "2026-11-21 14:29:04 UTC" }],
      link: "https://up.example.com/locations",
      group: "warning",
      at: silent.at,
    });
  });

  test("that a location is connected again says since when", () => {
    expect(describeEvent(connected, BASE)).toMatchObject({
      title: "Location fra is connected again",
      reason: "Its probe sends requests again, and its checks count.",
      facts: [{ label: "Since", value: "2026-11-21 14:30:05 UTC" }],
      group: "healthy",
    });
  });

  test("of a location whose probe sent no request has the time of the notice", () => {
    const never = { ...silent, location: { ...silent.location, lastSeenAt: null } };
    expect(describeEvent(never, BASE)).toMatchObject({
      reason: "Its probe has sent no request yet. Until there is one, its checks do not count.",
      facts: [{ value: "2026-11-21 14:30:05 UTC" }],
    });
  });

  for (const [type, form] of Object.entries(forms)) {
    test.each(Object.entries(notices))(`in the form of ${type}: %s`, (_, notice) => {
      expect(form(describeEvent(notice, BASE))).toMatchSnapshot();
    });
  }
});

describe("behavior 14.46: the message", () => {
  test("that a maintenance started says why, until when, and for which monitors", () => {
    expect(withoutWords(describeEvent(started, BASE))).toEqual({
      title: "Maintenance New disks started",
      reason: "The disks of both database servers are replaced.",
      facts: [
        { label: "Started", value: "2026-11-21 14:30:05 UTC" },
        { label: "Until", value: "2026-11-21 15:00:05 UTC" },
        { label: "Monitors", value: "2: Shop front, Nightly backup", isFromUser: true },
      ],
      link: "https://up.example.com/maintenances",
      group: "healthy",
      at: started.at,
    });
  });

  test("that it ended says when, and what it means if it has no message", () => {
    expect(describeEvent(ended, BASE)).toMatchObject({
      title: "Maintenance New disks ended",
      reason: "Changes of the status of its monitors are notified again.",
      facts: [
        { label: "Started" },
        { label: "Ended", value: "2026-11-21 14:50:05 UTC" },
        { label: "Monitors" },
      ],
    });
  });

  test("of a maintenance of many monitors names ten of them", () => {
    const monitors = Array.from({ length: 100 }, (_, at) => ({
      id: `${at}`,
      name: `m${at}`,
      type: "TCP" as const,
    }));
    const { facts } = describeEvent({ ...started, monitors, monitorCount: 340 }, BASE);
    expect(facts.at(-1)?.value).toBe("340: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, 330 more");
    const none = describeEvent({ ...started, monitors: [], monitorCount: 0 }, BASE);
    expect(none.facts.at(-1)?.value).toBe("0");
  });
});

describe("behavior 1.60: the message", () => {
  test("that monitors are not checked says how many, why, and since when", () => {
    expect(withoutWords(describeEvent(blind, BASE))).toEqual({
      title: "3 monitors are not checked",
      reason: expect.stringContaining("for example because its DNS server is silent"),
      facts: [
        { label: "Since", value: "2026-11-21 14:27:45 UTC" },
        { label: "Monitors", value: "3: Shop front, 2 more", isFromUser: true },
      ],
      link: "https://up.example.com/",
      group: "warning",
      at: blind.at,
    });
    expect(describeEvent({ ...blind, monitorCount: 1 }, BASE).title).toBe("1 monitor is not checked");
  });

  test("that all are checked again says since when they were not", () => {
    expect(describeEvent(resumed, BASE)).toMatchObject({
      title: "All monitors are checked again",
      facts: [{ label: "Not checked since" }, { value: "1: Shop front" }],
      group: "healthy",
    });
  });
});

describe("behavior 13.61: e-mails", () => {
  test("about one location are one thread, those about another one are not", async () => {
    await using server = await MailServer.start();
    const other: LocationNotice = { ...silent, location: { ...silent.location, id: "l2" } };
    for (const one of [silent, connected, other])
      await deliverEmail({ to: "ops@example.com" }, notified(one), server.settings());
    const threads = server.received.map(({ source }) => /^In-Reply-To: (<.+>)\r$/m.exec(source)?.[1] ?? "");
    expect(threads[0]).toMatch(/^<incident\.[\w-]{22}@example\.com>$/);
    expect(threads[1]).toBe(threads[0] ?? "");
    expect(threads[2]).not.toBe(threads[0] ?? "");
    expect(server.received[0]?.source).toContain("Subject: Location fra is silent");
  });
});

describe("behavior 13.62: the body of a webhook", () => {
  async function bodyOf(notice: Notice): Promise<object> {
    await using receiver = new Receiver();
    const settings = { ...reachWith(), baseUrl: () => BASE };
    await deliver({ type: "WEBHOOK", config: { url: receiver.url } }, notified(notice), settings);
    return receiver.only().payload;
  }

  test("is that of the documentation if a maintenance starts, and if a location is silent", async () => {
    const { blocks } = await readPage("docs/channels/webhook.md");
    const shown = blocks.filter(({ mark }) => mark === "tested by test/alerts/notices.test.ts");
    expect(shown.map(({ text }) => JSON.parse(text))).toEqual([await bodyOf(started), await bodyOf(silent)]);
  });

  test("has another type if the location is connected again, and null for a probe that sent no request", async () => {
    const never = { ...connected, location: { ...connected.location, lastSeenAt: null } };
    expect(await bodyOf(never)).toEqual({
      type: "location.connected",
      timestamp: "2026-11-21T14:30:05.000Z",
      data: {
        organization: { id: "o1", name: "Default" },
        location: { id: "l1", name: "fra", lastSeenAt: null },
      },
    });
  });

  test("behavior 14.45: has the window and the monitors of a maintenance", async () => {
    expect(await bodyOf({ ...ended, monitorCount: 340 })).toEqual({
      type: "maintenance.ended",
      timestamp: "2026-11-21T14:50:05.000Z",
      data: {
        organization: { id: "o1", name: "Default" },
        maintenance: {
          id: "w1",
          title: "New disks",
          message: null,
          startsAt: "2026-11-21T14:30:05.000Z",
          endsAt: "2026-11-21T15:00:05.000Z",
        },
        monitors: [
          { id: "m1", name: "Shop front", type: "HTTP" },
          { id: "m2", name: "Nightly backup", type: "SCHEDULED" },
        ],
        monitorCount: 340,
      },
    });
  });

  test("behavior 1.60: has the blind monitors", async () => {
    const data = {
      organization: { id: "o1", name: "Default" },
      since: "2026-11-21T14:27:45.000Z",
      monitors: [{ id: "m1", name: "Shop front", type: "HTTP" }],
    };
    expect(await bodyOf(blind)).toEqual({
      type: "checks.blind",
      timestamp: "2026-11-21T14:30:05.000Z",
      data: { ...data, monitorCount: 3 },
    });
    expect(await bodyOf(resumed)).toEqual({
      type: "checks.resumed",
      timestamp: "2026-11-21T14:31:05.000Z",
      data: { ...data, monitorCount: 1 },
    });
  });

  test("of a transition has nothing of the locations", async () => {
    await using receiver = new Receiver();
    const settings = { ...reachWith(), baseUrl: () => BASE };
    const seen: Transition = { ...down, locations: { seeing: ["fra"], of: 1 } };
    await deliver({ type: "WEBHOOK", config: { url: receiver.url } }, notified(seen), settings);
    expect(receiver.only().body).not.toContain("locations");
  });
});

describe("behavior 13.61: the locations that see a status", () => {
  const locations = { seeing: ["fra", "nyc"], of: 3 };
  const factOf = (transition: Transition) =>
    describeEvent(transition, BASE).facts.find(({ label }) => label === "Seen from");

  test("are named, with how many decide", () => {
    expect(factOf({ ...down, locations })).toEqual({
      label: "Seen from",
      value: "fra, nyc (2 of 3)",
      isFromUser: true,
    });
  });

  test("are named in a recovery too, and not if only this server checks the monitor", () => {
    expect(factOf({ ...recovery, locations })?.value).toBe("fra, nyc (2 of 3)");
    expect(factOf(down)).toBeUndefined();
  });
});

const names = HOSTILE.map((name, at) => [`${at} ${name.slice(0, 30)}`, name] as const);

describe.each(names)("behavior 5.28, 13.61, 14.60: names and notes that are %j", (_, name) => {
  const messages = [
    describeEvent({ ...silent, location: { ...silent.location, name } }, BASE),
    describeEvent(
      { ...down, locations: { seeing: [name, name], of: 3 }, acknowledged: { at: AT, by: name, note: name } },
      BASE,
    ),
    describeEvent(
      {
        ...started,
        maintenance: { ...started.maintenance, title: name, message: name },
        monitors: Array.from({ length: 30 }, () => ({ id: "m", name, type: "HTTP" as const })),
      },
      BASE,
    ),
  ];

  test("stay within the limits of Slack, in plain text", () => {
    for (const { attachments } of messages.map(slackMessage)) {
      const [header, reason, facts] = attachments[0]?.blocks ?? [];
      expect(header?.text?.text.length).toBeLessThanOrEqual(150);
      expect(reason?.text?.text.length).toBeLessThanOrEqual(3000);
      for (const { type, text } of facts?.fields ?? []) {
        expect(text.length).toBeLessThanOrEqual(2000);
        if (type === "mrkdwn") expect(text).toMatch(/^\*[\w ]+\*\n[\w →:-]+$/);
      }
    }
  });

  test("stay within the limits of Discord, without markup", () => {
    for (const { embeds } of messages.map(discordMessage)) {
      const { title = "", fields = [] } = embeds[0] ?? {};
      expect(title.length).toBeLessThanOrEqual(256);
      for (const { name: label, value } of fields.filter(({ name }) => name !== "Outage")) {
        expect(label).toMatch(/^[\w ]+$/);
        expect(value.length).toBeLessThanOrEqual(1024);
        expect(value).not.toMatch(/(?<!\\)[*_~`|<>@[\]]/);
      }
      expect(JSON.stringify(embeds[0]).length).toBeLessThanOrEqual(6000);
    }
  });

  test("stay within the 28 kB of Teams, outside of its FactSet", () => {
    for (const { attachments } of messages.map(teamsMessage)) {
      const body = attachments[0]?.content.body ?? [];
      expect(Buffer.byteLength(JSON.stringify(attachments))).toBeLessThan(28_000);
      const facts = body.flatMap((block) => ("facts" in block ? block.facts : []));
      for (const { value } of facts) expect(value).toMatch(/^[\w →:-]+$/);
    }
  });

  test("are escaped in an e-mail, with a subject of one line", () => {
    const acknowledged = { at: AT, by: "x", note: oneLine(name) === "" ? null : "x" };
    const [plain] = [
      describeEvent({ ...down, locations: { seeing: ["a", "b"], of: 3 }, acknowledged }, BASE),
    ];
    for (const { subject } of messages.map(mailOf)) expect(subject).not.toMatch(/[\r\n]/);
    const tags = (html = "") => html.match(/<[a-z!]/g);
    expect(tags(messages[1] && mailOf(messages[1]).html)).toEqual(tags(plain && mailOf(plain).html));
  });
});
