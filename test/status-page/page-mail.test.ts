import { describe, expect, test } from "bun:test";
import type { PageMail } from "../../src/domain/pages/subscription.ts";
import { pageMail } from "../../src/status-page/mails/page-mail.ts";
import { english, localFor, localizations } from "../support/pages/languages.ts";

const AT = Date.UTC(2027, 5, 1, 12, 5);
const MINUTE = 60_000;

const context = {
  pageTitle: "Shop & more",
  pageUrl: "https://status.example.com",
  token: "t0ken",
  isLast: false,
  local: english(),
};

const outage = { kind: "outage", component: "Checkout", isDown: true, startedAt: AT, endedAt: null } as const;
const maintenance: PageMail = {
  kind: "maintenance",
  title: "Move",
  message: "To another rack.\nIt is short.",
  components: ["Shop", "API"],
  startedAt: AT,
  endsAt: AT + 30 * MINUTE,
  isOver: false,
};

const incident = (body: string): PageMail => ({
  kind: "incident",
  title: "Slow checkout",
  update: { status: "identified", body },
  components: ["Checkout"],
  at: AT,
});

describe("behavior 15.82: the words of a message about", () => {
  const subjectOf = (mail: PageMail) => pageMail(mail, context).subject;
  const textOf = (mail: PageMail) => pageMail(mail, context).text;

  test("an opt-in", () => {
    expect(subjectOf({ kind: "optIn" })).toBe("Confirm your subscription to Shop & more");
    expect(textOf({ kind: "optIn" })).toContain(
      "Confirm the subscription:\nhttps://status.example.com/subscriptions/confirm?token=t0ken\n",
    );
  });

  test("an outage", () => {
    expect(subjectOf(outage)).toBe("Checkout is down");
    expect(textOf(outage)).toContain("It has been down since Jun 1, 12:05 UTC.");
    const ended = { ...outage, isDown: false, endedAt: AT + 12 * MINUTE };
    expect(subjectOf(ended)).toBe("Resolved: Checkout is degraded");
    expect(textOf(ended)).toContain("Jun 1, 12:17 UTC\n\nIt lasted 12 minutes.");
  });

  test("a maintenance", () => {
    expect(subjectOf(maintenance)).toBe("Maintenance: Move");
    const text = textOf(maintenance);
    expect(text).toContain("It began on Jun 1, 12:05 UTC and is expected to end on Jun 1, 12:35 UTC.");
    expect(text).toContain("To another rack.\nIt is short.");
    expect(text).toContain("Affected: Shop, API");
    const over = { ...maintenance, isOver: true };
    expect(subjectOf(over)).toBe("Maintenance is over: Move");
    expect(textOf(over)).toContain("It began on Jun 1, 12:05 UTC and ended on Jun 1, 12:35 UTC.");
    expect(textOf({ ...maintenance, endsAt: null })).toContain("It began on Jun 1, 12:05 UTC.\n");
  });

  test("an incident, with its Markdown rendered", () => {
    const { subject, text, html } = pageMail(incident("We *found* it: <b>x</b>"), context);
    expect(subject).toBe("Identified: Slow checkout");
    expect(text).toContain("We *found* it: <b>x</b>");
    expect(html).toContain("<em>found</em>");
    expect(html).toContain("&lt;b&gt;x&lt;/b&gt;");
    expect(subjectOf({ ...incident(""), update: null } as PageMail)).toBe("New incident: Slow checkout");
  });

  test("several things", () => {
    const mail: PageMail = { kind: "several", notices: [outage, maintenance], count: 7 };
    expect(subjectOf(mail)).toBe("7 changes: Checkout is down, Maintenance: Move");
    expect(textOf(mail)).toContain("- Checkout is down\n- Maintenance: Move\n- and 5 more");
  });

  test("the limit of the day", () => {
    expect(pageMail(outage, { ...context, isLast: true }).text).toContain(
      "This is the last message of today",
    );
    expect(textOf(outage)).not.toContain("last message");
  });
});

test("behavior 15.82: every message has the link to unsubscribe, and loads nothing", () => {
  const mails: PageMail[] = [
    { kind: "optIn" },
    outage,
    maintenance,
    incident("![x](https://other.example.com/x.png)"),
  ];
  for (const mail of mails) {
    const { text, html, unsubscribeUrl } = pageMail(mail, context);
    expect(unsubscribeUrl).toBe("https://status.example.com/subscriptions/unsubscribe?token=t0ken");
    expect(text).toContain(`Unsubscribe:\n${unsubscribeUrl}\n`);
    expect(html).toContain(`<a href="${unsubscribeUrl}"`);
    expect(html).not.toMatch(/<(img|script|link|iframe)|src=/);
  }
});

test.each(localizations)("behavior 15.82: no text follows a link directly, in %s", (_, local) => {
  for (const mail of [{ kind: "optIn" }, outage, maintenance] as const) {
    const { text } = pageMail(mail, { ...context, local });
    expect(text).toContain(context.pageUrl);
    // Many programs would take the character as a part of the link.
    expect(text).not.toMatch(/https:\S*[^\s!-~\u2066-\u2069]/);
  }
});

test("behavior 15.82: the message that asks for a confirmation does not say that the address is subscribed", () => {
  const reason = "because you are subscribed";
  expect(pageMail(outage, context).html).toContain(reason);
  const { html, unsubscribeUrl } = pageMail({ kind: "optIn" }, context);
  expect(html).not.toContain(reason);
  expect(html).toContain(`<a href="${unsubscribeUrl}"`);
});

test("names of people stay text, and a subject is one line of limited length", () => {
  const hostile = `\u202e<img src=x onerror=alert(1)>\r\nBcc: a@example.com ${"x".repeat(500)}`;
  const { subject, html } = pageMail({ ...outage, component: hostile }, { ...context, pageTitle: hostile });
  expect(subject).toHaveLength(200);
  expect(subject).not.toMatch(/[\r\n\u202e]/);
  expect(html).not.toContain("<img");
});

test("behavior 15.82: names stay on one line, and reverse nothing after them", () => {
  const pageTitle = "Shop\r\n\r\nhttps://evil.example\u202e";
  const hostile = { ...maintenance, components: ["A\nB\u202e"] };
  for (const mail of [{ kind: "optIn" } as const, hostile]) {
    const { text, html } = pageMail(mail, { ...context, pageTitle });
    expect(text).toContain("Shop https://evil.example");
    expect(`${text}${html}`).not.toMatch(/\u202e|^https:\/\/evil/m);
  }
  expect(pageMail(hostile, context).text).toContain("Affected: A B\n");
});

describe("behavior 21.7: a name has a direction of its own", () => {
  const [start, end] = ["\u2068", "\u2069"];
  const arabic = { ...context, local: localFor("ar") };

  test("in a text from right to left", () => {
    const { subject, text, html } = pageMail({ ...maintenance, title: "Move!" }, arabic);
    expect(subject).toEndWith(`${start}Move!${end}`);
    expect(text).toContain(`${start}Shop${end}، ${start}API${end}`);
    expect(text).toContain(`${start}Shop & more${end}:\n${context.pageUrl}\n`);
    expect(html).toContain(`>${subject}</h1>`);
    expect(html).toContain(
      '<p dir="auto" style="margin:0 0 16px;overflow-wrap:anywhere;white-space:pre-line">To another',
    );
  });

  test("in another text, if it is from right to left", () => {
    // Hebrew, and Adlam, which is not in the first plane of Unicode.
    for (const component of ["חנות", "𞤂𞤵𞤥𞤮"])
      expect(pageMail({ ...outage, component }, context).subject).toBe(`${start}${component}${end} is down`);
    expect(pageMail(outage, context).subject).toBe("Checkout is down");
  });

  test("as has the address of the page", () => {
    const { text } = pageMail({ kind: "optIn" }, arabic);
    expect(text).toContain(`(${start}${context.pageUrl}${end})`);
  });
});
