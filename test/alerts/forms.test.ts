import { describe, expect, test } from "bun:test";
import { discordMessage } from "../../src/alerts/discord.ts";
import { mailOf } from "../../src/alerts/mail.ts";
import { slackMessage } from "../../src/alerts/slack.ts";
import { teamsMessage } from "../../src/alerts/teams.ts";
import { describeTransition } from "../../src/alerts/transition-message.ts";
import type { Transition } from "../../src/domain/alerts/delivery.ts";
import { examples, HOSTILE, hostile } from "../support/alerts/transitions.ts";

const forms = { SLACK: slackMessage, DISCORD: discordMessage, TEAMS: teamsMessage, EMAIL: mailOf };

function message(transition: Transition) {
  return describeTransition(transition, "https://up.example.com");
}

for (const [type, form] of Object.entries(forms)) {
  test.each(Object.entries(examples))(`the ${type} message of a %s`, (_, transition) => {
    expect(form(message(transition))).toMatchSnapshot();
  });
}

const names = HOSTILE.map((name, at) => [`${at} ${name.slice(0, 30)}`, name] as const);

describe.each(names)("behavior 5.28: a monitor name and a message that are %j", (_, name) => {
  const notification = message(hostile(name));

  test("stay within the limits of Slack, without mentions or markup", () => {
    const { text, attachments } = slackMessage(notification);
    const [header, reason, facts] = attachments[0]?.blocks ?? [];
    for (const one of [header, reason]) expect(one?.text?.type).toBe("plain_text");
    expect(header?.text?.text.length).toBeLessThanOrEqual(150);
    expect(reason?.text?.text.length).toBeLessThanOrEqual(3000);
    expect(facts?.fields?.length).toBeLessThanOrEqual(10);
    for (const one of [text, header?.text?.text, reason?.text?.text]) {
      expect(one).not.toMatch(/[<>]/);
      expect(one).not.toMatch(/&(?!(amp|lt|gt);)/);
      expect(one).toMatch(/\S/);
    }
  });

  test("stay within the limits of Discord, without mentions", () => {
    const { embeds, allowed_mentions } = discordMessage(notification);
    const [embed] = embeds;
    const { title = "", description = "", fields = [] } = embed ?? {};
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4096);
    for (const one of [title, description, ...fields.flatMap(({ name, value }) => [name, value])]) {
      expect(one).toMatch(/\S/);
    }
    expect(JSON.stringify(embed).length).toBeLessThanOrEqual(6000);
    expect(allowed_mentions).toEqual({ parse: [] });
    expect(title + description).not.toMatch(/(?<!\\)[*_~`|<>@[\]]/);
  });

  test("stay within the 28 kB of Teams, in runs without Markdown", () => {
    const sent = teamsMessage(notification);
    expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(28_000);
    expect(JSON.stringify(sent.attachments[0]?.content.body)).not.toContain('TextBlock","text":"');
  });

  test("are escaped in an e-mail, with a subject of one line", () => {
    const { subject, html } = mailOf(notification);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject.length).toBeLessThanOrEqual(250);
    expect(html.match(/<[a-z!]/g)).toEqual(mailOf(message(examples.down)).html.match(/<[a-z!]/g));
  });
});
