import { describe, expect, test } from "bun:test";
import { discordMessage } from "../../src/alerts/discord.ts";
import { deliverEmail, mailOf } from "../../src/alerts/mail.ts";
import { describeNotification } from "../../src/alerts/message.ts";
import { slackMessage } from "../../src/alerts/slack.ts";
import { teamsMessage } from "../../src/alerts/teams.ts";
import type { AlertEvent, AlertMessage } from "../../src/domain/alerts/alert-event.ts";
import type { Transition } from "../../src/domain/alerts/delivery.ts";
import { RESULT_STATUSES, statusesOf } from "../../src/domain/monitors/status.ts";
import { silent, started } from "../support/alerts/notices.ts";
import { AT, degraded, down, HOSTILE, heartbeat, recovery } from "../support/alerts/transitions.ts";
import { withoutWords } from "../support/alerts/words.ts";
import { MailServer } from "../support/servers/mail-server.ts";

const BASE = "https://up.example.com";
const forms = { SLACK: slackMessage, DISCORD: discordMessage, TEAMS: teamsMessage, EMAIL: mailOf };

function describeAll([event = down, ...others]: AlertEvent[]): AlertMessage {
  return describeNotification({ event, others, now: AT }, BASE);
}

/** The transition of another monitor. */
function of(name: string, transition: Transition, secondsLater = 0): Transition {
  const createdAt = transition.result.createdAt + secondsLater * 1000;
  const monitor = { ...transition.monitor, id: name, name };
  return { ...transition, monitor, result: { ...transition.result, createdAt } };
}

const storm: AlertEvent[] = [
  of("Billing", recovery),
  of("Search", degraded, 1),
  silent,
  of("Shop front", down, 2),
  of("API", down, 3),
  of("Mail", { ...down, reminder: true }, 3),
  of("Login", down, 4),
  of("Login", recovery, 5),
  started,
];

describe("behavior 14.65: the message about several notifications", () => {
  test("has counts, the names worst first, the times, and one link", () => {
    expect(withoutWords(describeAll(storm))).toEqual({
      title: "6 monitors: 2 Down, 1 Still down, 1 Degraded, 2 Up; 2 notices",
      reason: "9 notifications in one message, from 2026-11-21 14:30:05 UTC to 2026-11-21 14:30:10 UTC.",
      facts: [
        { label: "Down", value: "2" },
        { label: "Still down", value: "1" },
        { label: "Degraded", value: "1" },
        { label: "Up", value: "2" },
        { label: "Notices", value: "2" },
      ],
      list: [
        "Down: Shop front",
        "Down: API",
        "Still down: Mail",
        "Degraded: Search",
        "Notice: Location fra is silent",
        "Up: Billing",
        "Up, after 2 changes: Login",
        "Notice: Maintenance New disks started",
      ],
      link: "https://up.example.com/outages",
      group: "down",
      at: AT + 5000,
    });
  });

  test("names at most 20 of them, and counts the others", () => {
    const events = [
      ...Array.from({ length: 480 }, (_, at) => of(`up ${at}`, recovery)),
      ...Array.from({ length: 20 }, (_, at) => of(`down ${at}`, down)),
    ];
    const { title, list = [], facts } = describeAll(events);
    expect(title).toBe("500 monitors: 20 Down, 480 Up");
    expect(list).toEqual([...Array.from({ length: 20 }, (_, at) => `Down: down ${at}`), "and 480 more"]);
    expect(facts).toEqual([
      { label: "Down", value: "20" },
      { label: "Up", value: "480" },
    ]);
  });

  test("has the statuses of all types in the order of their groups", () => {
    const types = Object.entries(statusesOf) as [
      Transition["monitor"]["type"],
      readonly Transition["status"][],
    ][];
    const events = types.flatMap(([type, statuses]) =>
      statuses.map((status) => {
        const named = of(`${type} ${status}`, { ...down, status });
        return { ...named, monitor: { ...named.monitor, type } };
      }),
    );
    const { facts, list = [] } = describeAll(events);
    expect(facts.map(({ label }) => label)).toEqual([
      ...["Down", "No certificate", "Missing", "Failed", "Expired"],
      ...["Degraded", "Changed", "No check-in", "Expires soon"],
      ...["Up", "Present", "OK", "Not expired"],
    ]);
    expect(list).toHaveLength(events.length);
  });

  test("of notices only counts the notices", () => {
    const { title, facts, group } = describeAll([started, silent, started, silent]);
    expect({ title, facts, group }).toEqual({
      title: "4 notices",
      facts: [{ label: "Notices", value: "4" }],
      group: "warning",
    });
  });

  test("is that of the event if there is only one", () => {
    expect(describeNotification({ event: down, others: [], now: AT }, BASE)).toEqual(
      describeNotification({ event: down, now: AT }, BASE),
    );
    expect(describeAll([down]).title).toBe("Shop front is down");
  });

  for (const [type, form] of Object.entries(forms))
    test(`in the form of ${type}`, () => expect(form(describeAll(storm))).toMatchSnapshot());

  test("is an e-mail of no thread, with the ID of its first notification", async () => {
    await using server = await MailServer.start();
    const [event = down, ...others] = storm;
    await deliverEmail({ to: "ops@example.com" }, { id: "d1", event, others, now: AT }, server.settings());
    const source = server.received[0]?.source ?? "";
    expect(source).toContain("Message-ID: <delivery.d1.8@example.com>");
    expect(source).toContain("Subject: 6 monitors: 2 Down, 1 Still down, 1 Degraded, 2 Up; 2 notices");
    expect(source).not.toMatch(/^(In-Reply-To|References):/m);
  });
});

const names = HOSTILE.map((name, at) => [`${at} ${name.slice(0, 30)}`, name] as const);

describe.each(names)("behavior 5.28, 14.65: the message about 500 monitors whose names are %j", (_, name) => {
  const statuses = RESULT_STATUSES;
  const events = Array.from({ length: 500 }, (_, at) => {
    const status = statuses[at % statuses.length] ?? "down";
    return {
      ...of(String(at), at % 2 ? heartbeat : down),
      status,
      monitor: { ...down.monitor, id: `${at}`, name },
    };
  });
  const message = describeAll(events);

  test("stay within the limits of Slack, in plain text", () => {
    const { text, attachments } = slackMessage(message);
    const blocks = attachments[0]?.blocks ?? [];
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks) {
      expect(block.fields?.length ?? 0).toBeLessThanOrEqual(10);
      const { type, text: shown } = block.text ?? { type: "plain_text", text: "" };
      expect(type).toBe("plain_text");
      expect(shown.length).toBeLessThanOrEqual(block.type === "header" ? 150 : 3000);
      expect(shown).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
    }
  });

  test("stay within the limits of Discord, without markup", () => {
    const [embed] = discordMessage(message).embeds;
    const { title = "", description = "", fields = [] } = embed ?? {};
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4096);
    expect(description).not.toMatch(/(?<!\\)[*_~`|<>@[\]]/);
    expect(fields.length).toBeLessThanOrEqual(25);
    const texts = [title, description, ...fields.flatMap((field) => [field.name, field.value])];
    expect(texts.join("").length).toBeLessThanOrEqual(6000);
  });

  test("stay within the 28 kB of Teams, in runs without Markdown", () => {
    const sent = teamsMessage(message);
    expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(28_000);
    expect(JSON.stringify(sent.attachments[0]?.content.body)).not.toContain('TextBlock","text":"');
  });

  test("are escaped in an e-mail, with a subject of one line", () => {
    const { subject, html } = mailOf(message);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject.length).toBeLessThanOrEqual(250);
    const plain = events.map((event) => ({ ...event, monitor: { ...event.monitor, name: "x" } }));
    expect(html.match(/<[a-z!]/g)).toEqual(mailOf(describeAll(plain)).html.match(/<[a-z!]/g));
  });
});

describe("behavior 22.25, 22.26: of outages that share a cause", () => {
  const causeOf = (value: string, count: number) =>
    ({ id: value, kind: "address", value, title: `${count} monitors at ${value}` }) as const;
  const at = (name: string, cause?: Transition["cause"], changes: Partial<Transition> = {}): Transition => ({
    ...down,
    ...changes,
    monitor: { ...down.monitor, id: name, name },
    ...(cause && { cause }),
  });
  const first = causeOf("203.0.113.7", 14);

  test("one message is under the title of the cause, also if it has not all of its monitors", () => {
    const { title, list } = describeAll([at("a", first), at("b", first)]);
    expect(title).toBe("14 monitors at 203.0.113.7: 2 Down");
    expect(list).toEqual(["Down: a", "Down: b"]);
  });

  test("several causes share a message, each under its own title, and the others follow", () => {
    const second = causeOf("198.51.100.4", 3);
    const { title, list } = describeAll([at("x"), at("a", first), at("b", second), at("c", first)]);
    expect(title).toBe("4 monitors: 4 Down");
    expect(list).toEqual([
      ...["14 monitors at 203.0.113.7", "Down: a", "Down: c"],
      ...["3 monitors at 198.51.100.4", "Down: b"],
      "Down: x",
    ]);
  });

  test("no more than 21 lines are listed", () => {
    const many = Array.from({ length: 30 }, (_, place) => at(`m${place}`, first));
    const { list = [] } = describeAll([...many, at("x")]);
    expect(list).toHaveLength(21);
    expect(list.at(-1)).toBe("and 12 more");
  });

  test("a message about one outage names the cause", () => {
    const { facts } = describeAll([at("a", first)]);
    expect(facts).toContainEqual({ label: "Together", value: first.title, isFromUser: true });
  });
});
