import { describe, expect, test } from "bun:test";
import { discordMessage } from "../../src/alerts/discord.ts";
import { mailOf } from "../../src/alerts/mail.ts";
import { slackMessage } from "../../src/alerts/slack.ts";
import { teamsMessage } from "../../src/alerts/teams.ts";
import { describeTransition } from "../../src/alerts/transition-message.ts";
import { reasonOf } from "../../src/alerts/transition-reason.ts";
import type { Transition } from "../../src/domain/alerts/delivery.ts";
import { linesOf } from "../../src/domain/alerts/services/request.ts";
import type { Reason } from "../../src/domain/checks/observation.ts";
import { MONITOR_TYPES, type MonitorType } from "../../src/domain/monitors/kinds/kinds.ts";
import { isNotable } from "../../src/domain/monitors/planned-result.ts";
import { type Status, statusesOf } from "../../src/domain/monitors/status.ts";
import { statusLabel } from "../../src/domain/monitors/status-label.ts";
import {
  AT,
  acknowledged,
  degraded,
  down,
  examples,
  heartbeat,
  recovery,
  reminder,
  router,
} from "../support/alerts/transitions.ts";
import { withoutWords } from "../support/alerts/words.ts";

const DAY = 24 * 60 * 60 * 1000;

test.each(Object.entries(examples))("behavior 5.26: the message of a %s", (_, transition) => {
  expect(withoutWords(describeTransition(transition, "https://up.example.com"))).toMatchSnapshot();
});

test("behavior 22.9: the message of each service has the reason in a line, and a recovery too", () => {
  const summary = "203.0.113.7 refuses connections on port 443";
  for (const transition of [down, recovery]) {
    const why = { layer: "port", summary } as const;
    const message = describeTransition({ ...transition, why }, "https://up.example.com");
    expect(linesOf(message, 4000).split("\n")).toContain(`Why: ${summary}`);
    const sent = [slackMessage(message), discordMessage(message), teamsMessage(message), mailOf(message)];
    expect(sent.map((one) => JSON.stringify(one).includes(summary))).toEqual([true, true, true, true]);
  }
});

test("a change from one unhealthy status to another says when the trouble began", () => {
  const worse: Transition = { ...down, previousStatus: "degraded", troubleSince: AT - 60_000 };
  expect(describeTransition(worse, "").facts).toContainEqual({
    label: "In trouble since",
    value: "2026-11-21 14:29:05 UTC",
  });
});

test("behavior 10.94: a message says when the certificate of a website ends, and that it does not end soon any more", () => {
  const detail = { reason: "expires_soon", message: "the certificate expires in 12 days, on 2026-12-08" };
  const expiring: Transition = { ...degraded, result: { ...degraded.result, detail } };
  expect(describeTransition(expiring, "")).toMatchObject({
    title: "Shop front has a certificate that expires soon",
    reason: "The certificate expires in 12 days, on 2026-12-08.",
  });
  const renewed: Transition = { ...recovery, previousStatus: "degraded", wasDegradedBy: "expires_soon" };
  expect(describeTransition(renewed, "")).toMatchObject({
    title: "Shop front has a certificate that no longer expires soon",
    reason: "Its certificate does not expire soon.",
  });
});

test("behavior 10.107: a message says that a host fails at some addresses, and that it answers at all again", () => {
  const message = "1 of 2 addresses fails: 192.0.2.1: no answer within 10 s";
  const detail = { reason: "some_addresses", message };
  const partial: Transition = { ...degraded, result: { ...degraded.result, detail } };
  expect(describeTransition(partial, "")).toMatchObject({
    title: "Shop front fails at some addresses",
    reason: `${message}.`,
  });
  const whole: Transition = { ...recovery, previousStatus: "degraded", wasDegradedBy: "some_addresses" };
  expect(describeTransition(whole, "")).toMatchObject({
    title: "Shop front answers at all addresses again",
    reason: "It responds at each of its addresses.",
  });
});

test("behavior 26.118: a message says that the content changed, with its lengths, and that it is usual again", () => {
  const message = "the visible text changed: it has 12 characters instead of 7";
  const detail = { reason: "changed", message };
  const changed: Transition = { ...degraded, result: { ...degraded.result, detail } };
  expect(describeTransition(changed, "")).toMatchObject({
    title: "Shop front has changed its content",
    reason: "The visible text changed: it has 12 characters instead of 7.",
  });
  // Another outage, of the same status.
  const again = describeTransition({ ...changed, previousStatus: "degraded" }, "");
  expect(again.title).toBe("Shop front has changed its content");
  const usual: Transition = { ...recovery, previousStatus: "degraded", wasDegradedBy: "changed" };
  expect(describeTransition(usual, "")).toMatchObject({
    title: "Shop front has its usual content again",
    reason: "Its content is usual again.",
  });
});

describe("behavior 11.9: a confirmed change began at the first check that saw it", () => {
  const changedAt = AT - 20_000;

  test("when trouble begins", () => {
    const confirmed: Transition = { ...down, changedAt, troubleSince: changedAt };
    expect(describeTransition(confirmed, "").facts).toEqual([
      { label: "Status", value: "Up → Down" },
      { label: "Since", value: "2026-11-21 14:29:45 UTC" },
      { label: "Before", value: "Up for 3 d 2 h" },
      { label: "Last good latency", value: "42 ms" },
      { label: "Type", value: "Website" },
    ]);
  });

  test("when it ends", () => {
    expect(describeTransition({ ...recovery, changedAt }, "").facts).toContainEqual({
      label: "Lasted",
      value: "11 min 45 s",
    });
  });
});

describe("behavior 14.60: a message", () => {
  const factsOf = (transition: Transition) =>
    Object.fromEntries(describeTransition(transition, "").facts.map(({ label, value }) => [label, value]));

  test("has a link to the outage beside that to the monitor", () => {
    expect(describeTransition(down, "https://up.example.com")).toMatchObject({
      link: "https://up.example.com/monitors/m1",
      outageLink: "https://up.example.com/outages/a1",
    });
    const { outage: _, ...without } = down;
    expect(describeTransition(without, "")).not.toHaveProperty("outageLink");
  });

  test("says who acknowledged the outage, when, and with which note", () => {
    expect(factsOf(acknowledged)).toMatchObject({
      Acknowledged: "2026-11-21 14:20:05 UTC by Ana's phone",
      Note: "The provider works on it",
    });
    const silently = { ...acknowledged, acknowledged: { at: AT, by: "Ana", note: null } };
    expect(factsOf(silently)).not.toHaveProperty("Note");
    expect(factsOf(recovery)).not.toHaveProperty("Acknowledged");
  });

  test("says how many monitors are muted because of it", () => {
    expect(factsOf(router)).toMatchObject({ Muted: "12 monitors behind it" });
    expect(factsOf({ ...router, mutes: 1 })).toMatchObject({ Muted: "1 monitor behind it" });
    expect(factsOf(down)).not.toHaveProperty("Muted");
  });
});

describe("behavior 14.62: a reminder", () => {
  const later = AT + 90 * 60_000;

  test("looks like no new outage, and says how long the trouble has lasted", () => {
    const message = describeTransition(reminder, "https://up.example.com", { now: later });
    expect(withoutWords(message)).toEqual({
      title: "Still down: Shop front",
      reason: "The connection was refused by 192.0.2.7.",
      facts: [
        { label: "Status", value: "Down" },
        { label: "Since", value: "2026-11-21 14:30:05 UTC" },
        { label: "Lasted so far", value: "1 h 30 min" },
        { label: "Type", value: "Website" },
      ],
      link: "https://up.example.com/monitors/m1",
      outageLink: "https://up.example.com/outages/a1",
      group: "down",
      at: later,
    });
  });

  test("of trouble that got worse has both beginnings", () => {
    const began = AT - 60_000;
    const worse = { ...reminder, troubleSince: began, outage: { id: "a1", startedAt: began } };
    expect(describeTransition(worse, "", { now: later }).facts).toMatchObject([
      { value: "Down" },
      { label: "Since", value: "2026-11-21 14:30:05 UTC" },
      { label: "In trouble since", value: "2026-11-21 14:29:05 UTC" },
      { label: "Lasted so far", value: "1 h 31 min" },
      { label: "Type" },
    ]);
  });

  test.each([
    [{ ...reminder, status: "havent_heard" }, "Still no check-in: Shop front"],
    [{ ...reminder, status: "expiring_soon" }, "Still expires soon: Shop front"],
    [{ ...reminder, status: "no_cert" }, "Still no certificate: Shop front"],
  ] as const)("has the label of the status %#", (transition, title) => {
    expect(describeTransition(transition, "").title).toBe(title);
  });
});

test("behavior 20.80: the title says whether the domain or the certificate is the trouble, and what is over", () => {
  const titleOf = (previousStatus: Status, status: Status, detail: object) =>
    describeTransition(
      { ...down, previousStatus, status, result: { ...down.result, detail: { ...detail } } },
      "",
    ).title;
  const domain = {
    reason: "registration",
    message: "the registration of shop.example expires",
    registration: {},
  };
  expect(titleOf("active", "expiring_soon", domain)).toBe(
    "Shop front has a domain whose registration expires soon",
  );
  expect(titleOf("active", "expired", domain)).toBe(
    "Shop front has a domain whose registration is no longer valid",
  );
  expect(titleOf("active", "expired", { registration: {} })).toBe("Shop front has an expired certificate");
  expect(titleOf("expired", "active", { registration: {} })).toBe(
    "Shop front has a certificate and a domain that do not expire soon",
  );
});

test("an unknown time or latency is left out", () => {
  const { since: _, troubleSince: __, lastGoodLatencyMs: ___, outage: ____, ...bare } = down;
  const labels = describeTransition(bare, "").facts.map(({ label }) => label);
  expect(labels).toEqual(["Status", "Since", "Type"]);
});

describe("the reason", () => {
  test.each<[string, object | null, string]>([
    ["down", { reason: "refused", address: "::1" }, "The connection was refused by ::1."],
    ["down", { reason: "timeout", message: "no answer within 10 s" }, "No answer within 10 s."],
    [
      "down",
      { reason: "dns_not_found", message: "a.test has no address in the DNS" },
      "a.test has no address in the DNS.",
    ],
    ["down", null, "There was no response."],
    ["down", { reason: "timeout" }, "There was no response in time."],
    ["down", { reason: "unreachable", address: "192.0.2.7" }, "The host is not reachable at 192.0.2.7."],
    ["failed", null, "The job reported a failure."],
    ["ok", null, "The job reported success."],
    ["havent_heard", null, "No check-in arrived before the deadline."],
    ["active", { validTo: iso(90) }, "The certificate has not expired: it expires on 2027-02-19, in 90 d."],
    [
      "expiring_soon",
      { validTo: iso(10) },
      "The certificate expires soon: it expires on 2026-12-01, in 10 d.",
    ],
    ["expired", { validTo: iso(-3) }, "The certificate expired on 2026-11-18, 3 d ago."],
    ["expired", { validFrom: iso(2), validTo: iso(90) }, "The certificate is not valid before 2026-11-23."],
    ["expired", {}, "The certificate has expired."],
    [
      "expiring_soon",
      {
        validTo: iso(90),
        reason: "registration",
        message: "the registration of shop.example expires in 4 days, on 2026-11-25",
        registration: { domain: "shop.example", expiresAt: iso(4) },
      },
      "The registration of shop.example expires in 4 days, on 2026-11-25. The certificate has not expired: it expires on 2027-02-19, in 90 d.",
    ],
    [
      "expired",
      {
        validTo: iso(90),
        reason: "registration",
        message: "the registration of shop.example is suspended by the registrar",
        registration: { domain: "shop.example", expiresAt: iso(200) },
      },
      "The registration of shop.example is suspended by the registrar. The certificate has not expired: it expires on 2027-02-19, in 90 d.",
    ],
    [
      "expired",
      { validTo: iso(-3), registration: { domain: "shop.example", expiresAt: iso(-1) } },
      "The certificate expired on 2026-11-18, 3 d ago. The registration of shop.example expired on 2026-11-20.",
    ],
    [
      "active",
      { validTo: iso(90), registration: { domain: "shop.example", expiresAt: iso(40) } },
      "The certificate has not expired: it expires on 2027-02-19, in 90 d. The registration of shop.example expires on 2026-12-31, in 40 d.",
    ],
    [
      "active",
      { validTo: iso(90), registration: null },
      "The certificate has not expired: it expires on 2027-02-19, in 90 d.",
    ],
    ["no_cert", { reason: "refused" }, "Could not get a certificate: the connection was refused."],
    [
      "missing",
      { reason: "nxdomain", message: "a.test does not exist in the DNS (NXDOMAIN)" },
      "a.test does not exist in the DNS (NXDOMAIN).",
    ],
    [
      "changed",
      { added: ["192.0.2.1"], gone: ["192.0.2.2", "192.0.2.3"] },
      "The DNS answers with other records. New: 192.0.2.1. Gone: 192.0.2.2, 192.0.2.3.",
    ],
    [
      "changed",
      { added: Array.from({ length: 12 }, (_, at) => `v${at}`) },
      "The DNS answers with other records. New: v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, 2 more.",
    ],
    [
      "changed",
      { added: ["v0", "v1"], gone: [], omitted: { added: 2980, gone: 1 } },
      "The DNS answers with other records. New: v0, v1, 2980 more. Gone: 1 more.",
    ],
    ["present", {}, "The DNS has records of this name, and none of them is new."],
    ["present", { values: [] }, "The DNS has no record of this name."],
    ["missing", {}, "The DNS has no records of this name."],
  ])("of %s with %j", (status, detail, reason) => {
    const result = { ...down.result, detail: detail && { ...detail } };
    expect(reasonOf({ ...down, status: status as Status, result })).toBe(reason);
  });

  test("of a slow response has the last good latency", () => {
    expect(reasonOf(degraded)).toBe(
      "It responds in 1812 ms, much slower than usual. The last good latency was 42 ms.",
    );
    expect(reasonOf({ ...recovery, previousStatus: "degraded" })).toBe("It responds as fast as usual.");
  });

  test("of a cron job is the message of the result, if it has one", () => {
    const result = { ...heartbeat.result, detail: { message: "no check-in for 25 h" } };
    expect(reasonOf({ ...heartbeat, result })).toBe("No check-in for 25 h.");
  });
});

const REASONS = Object.keys({
  refused: 0,
  timeout: 0,
  reset: 0,
  closed: 0,
  unreachable: 0,
  dns_not_found: 0,
  dns_failed: 0,
  dns_unreachable: 0,
  tls_invalid: 0,
  tls_failed: 0,
  not_http: 0,
  private_target: 0,
  unexpected: 0,
  too_many_redirects: 0,
  bad_redirect: 0,
  bad_body: 0,
} satisfies Record<Reason, 0>);

const transitions = MONITOR_TYPES.flatMap((type) => {
  const statuses: readonly Status[] = statusesOf[type];
  return [...statuses, "unknown" as const].flatMap((previousStatus) =>
    statuses
      .filter((status) => isNotable(previousStatus, status))
      .map((status) => ({ type, previousStatus, status })),
  );
});

describe("every transition", () => {
  test.each(transitions)(
    "behavior 1.5: of $type from $previousStatus to $status has words, not identifiers",
    (change) => {
      for (const reason of [undefined, ...REASONS]) {
        const { title, reason: sentence, facts } = describeTransition(transitionOf(change, reason), "");
        const [status] = facts;
        expect(status?.value).toBe(`${statusLabel[change.previousStatus]} → ${statusLabel[change.status]}`);
        for (const text of [title, sentence, ...facts.flatMap(({ label, value }) => [label, value])]) {
          expect(text).not.toMatch(/[a-z]_[a-z]|undefined|null|NaN|SCHEDULED|\b(?:unknown|havent)\b/);
        }
        expect(title).toMatch(/^Shop front [a-z ]+[a-z]$/i);
        expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
      }
    },
  );

  test("has a title and a sentence", () => {
    const texts = transitions.map((change) => {
      const { title, reason } = describeTransition(transitionOf(change), "");
      return `${change.type} ${statusLabel[change.previousStatus]} → ${statusLabel[change.status]}: ${title}. ${reason}`;
    });
    expect(texts).toMatchSnapshot();
  });
});

function transitionOf(
  { type, previousStatus, status }: { type: MonitorType; previousStatus: Status; status: Status },
  reason?: string,
): Transition {
  const monitor = { ...down.monitor, type };
  const { since: _, troubleSince: __, lastGoodLatencyMs: ___, ...bare } = down;
  const result = { ...bare.result, detail: reason === undefined ? null : { reason } };
  return { ...bare, monitor, previousStatus, status, result };
}

/** @param days from the transition */
function iso(days: number): string {
  return new Date(AT + days * DAY).toISOString();
}
