import { describe, expect, test } from "bun:test";
import { textsOf } from "../../../src/alerts/languages/load.ts";
import { createLocalization, localizationOf } from "../../../src/alerts/languages/localization.ts";
import { describeEvent } from "../../../src/alerts/message.ts";
import { reasonOf } from "../../../src/alerts/transition-reason.ts";
import type { Transition } from "../../../src/domain/alerts/delivery.ts";
import type { Detail } from "../../../src/domain/checks/observation.ts";
import { ended } from "../../support/alerts/notices.ts";
import { AT, degraded, down, heartbeat, recovery } from "../../support/alerts/transitions.ts";

/** English texts with the dates, the amounts and the names of another language, whose readers do not read the messages of checks. */
const german = createLocalization("de", textsOf("en"));

const DAY = 86_400_000;

function withDetail(transition: Transition, detail: Detail): Transition {
  return { ...transition, result: { ...transition.result, detail } };
}

describe("behavior 27.42: readers of other languages get a sentence by the code, and the message if it says more", () => {
  const reasons: [string, Transition, string][] = [
    ["a known code", down, "The connection was refused by 192.0.2.7."],
    [
      "a code with a message that says more",
      withDetail(down, { reason: "tls_failed", message: "the TLS handshake failed: no shared cipher." }),
      "The TLS handshake failed. Message: the TLS handshake failed: no shared cipher",
    ],
    [
      "a status code",
      withDetail(down, { reason: "unexpected", statusCode: 503, message: "status 503, expected 2xx" }),
      "The response is not as expected (status code 503). Message: status 503, expected 2xx",
    ],
    [
      "a code whose message says no more",
      withDetail(down, { reason: "private_target", message: "192.0.2.7 is private" }),
      "The address is private, and this server does not connect to private addresses.",
    ],
    [
      "a code of a later version",
      withDetail(down, { reason: "moon", message: "the moon" }),
      "Message: the moon",
    ],
    ["nothing", withDetail(down, {}), "There was no response."],
    [
      "lost pings",
      {
        ...withDetail(degraded, {
          reason: "packet_loss",
          message: "3 of 10 pings were lost, expected at most 5 %",
          ping: { sent: 10, received: 7 },
        }),
        monitor: {
          ...down.monitor,
          type: "TCP",
          config: { host: "a", protocol: "icmp", maxLoss: 5 },
        } as never,
      },
      "3 of 10 pings were lost, expected at most 5\u00a0%.",
    ],
    [
      "a slow answer",
      withDetail(degraded, { message: "the answer took 900 ms, expected at most 500 ms" }),
      "It responds, slower than expected. Message: the answer took 900 ms, expected at most 500 ms",
    ],
    [
      "a slow answer without a message",
      degraded,
      "It responds in 1.812 ms, much slower than usual. The last good latency was 42 ms.",
    ],
    [
      "other content",
      withDetail(degraded, { reason: "changed", message: "the title changed" }),
      "Its content is not the usual one. Message: the title changed",
    ],
    [
      "a run",
      {
        ...withDetail(heartbeat, { exitCode: 3, run: { durationMs: 492_000 }, message: "disk full" }),
        status: "failed",
      },
      "The job ended with exit code 3 after 8 Min., 12 Sek. Message: disk full",
    ],
    [
      "a name without records",
      {
        ...withDetail(down, {
          reason: "nxdomain",
          message: "q.example does not exist in the DNS (NXDOMAIN)",
        }),
        status: "missing",
      },
      "The name does not exist in the DNS (NXDOMAIN). Message: q.example does not exist in the DNS (NXDOMAIN)",
    ],
    [
      "a certificate",
      { ...withDetail(down, { validTo: new Date(AT + 12 * DAY).toISOString() }), status: "expiring_soon" },
      "The certificate expires soon: it expires on 3. Dez. 2026, in 12 Tg.",
    ],
    [
      "the registration of a domain",
      {
        ...withDetail(down, {
          reason: "registration",
          message: "the registration of q.example expires in 5 days, on 2026-11-26",
          validTo: new Date(AT + 90 * DAY).toISOString(),
          registration: { domain: "q.example", expiresAt: new Date(AT + 5 * DAY).toISOString() },
        }),
        status: "expiring_soon",
      },
      "The registration of q.example expires on 26. Nov. 2026, in 5 Tg. The certificate has not expired: it expires on 19. Feb. 2027, in 90 Tg.",
    ],
    [
      "a registration that was lost",
      {
        ...withDetail(down, {
          reason: "registration",
          message: "the registration of q.example is suspended by the registry",
          registration: { domain: "q.example", expiresAt: new Date(AT + 50 * DAY).toISOString() },
        }),
        status: "expired",
      },
      "The registration of q.example is no longer valid. The certificate has not expired. Message: the registration of q.example is suspended by the registry",
    ],
  ];
  test.each(reasons)("%s", (_, transition, reason) => {
    expect(reasonOf(transition, german)).toBe(reason);
  });

  test("a recovery and records", () => {
    expect(reasonOf(recovery, german)).toBe("It responds again.");
    const changed = {
      ...withDetail(down, { added: ["192.0.2.1", "192.0.2.2"], gone: [] }),
      status: "changed",
    } as const;
    expect(reasonOf(changed, german)).toBe("The DNS answers with other records. New: 192.0.2.1, 192.0.2.2.");
    expect(reasonOf(withDetail(changed, { added: [], gone: ["a"], omitted: { gone: 2 } }), german)).toBe(
      "The DNS answers with other records. Gone: a, 2 more.",
    );
  });

  test("and the layer of the failure before the sentence about it", () => {
    const why = { layer: "port", summary: "203.0.113.7 refuses connections" } as const;
    const { facts } = describeEvent({ ...down, why }, "", { local: german });
    expect(facts).toContainEqual({ label: "Why", value: "Port: 203.0.113.7 refuses connections" });
  });
});

test("behavior 27.42: readers of English get the message in place of the sentence", () => {
  const failed = withDetail(down, { reason: "timeout", message: "no connection within 10 s" });
  expect(reasonOf(failed)).toBe("No connection within 10 s.");
});

describe("behavior 27.43: times are in UTC, and amounts as the language writes them", () => {
  test("in German", () => {
    const { time, day, duration, latency, percent, number } = localizationOf("de");
    expect(time(AT)).toBe("21. Nov. 2026, 14:30:05 UTC");
    expect(day(AT)).toBe("21. Nov. 2026");
    expect(duration(2 * DAY + 5 * 3_600_000)).toBe("2 Tg., 5 Std.");
    expect([latency(3.14), latency(42.4)]).toEqual(["3,1 ms", "42 ms"]);
    expect([percent(5), number(5000)]).toEqual(["5\u00a0%", "5.000"]);
  });

  test("in English as they always were", () => {
    const { time, day, duration, latency, percent, number, plural, texts } = localizationOf("en");
    expect(time(AT)).toBe("2026-11-21 14:30:05 UTC");
    expect(day(AT)).toBe("2026-11-21");
    expect([duration(2 * DAY + 5 * 3_600_000), duration(400)]).toEqual(["2 d 5 h", "less than a second"]);
    expect([latency(0.4), latency(42.4), latency(12_340)]).toEqual(["0.4 ms", "42 ms", "12.3 s"]);
    expect([percent(5), number(5000)]).toEqual(["5 %", "5000"]);
    expect(plural(texts.digest.notices, 5000)).toBe("5000 notices");
  });
});

describe("behavior 27.44: names have their own direction", () => {
  const arabic = createLocalization("ar", textsOf("en"));

  test("in a language from right to left, all of them", () => {
    const { title, facts } = describeEvent(down, "", { local: arabic });
    expect(title).toBe("\u2068Shop front\u2069 is down");
    expect(reasonOf(down, arabic)).toBe("The connection was refused by \u2068192.0.2.7\u2069.");
    const acknowledged = { at: AT, by: "Ana", note: "On it" };
    const values = describeEvent({ ...down, acknowledged }, "", { local: arabic }).facts.map(
      ({ value }) => value,
    );
    expect(values).toContain("\u2068On it\u2069");
    expect(facts.length).toBeGreaterThan(3);
    expect(describeEvent(ended, "", { local: arabic }).title).toBe("Maintenance \u2068New disks\u2069 ended");
  });

  test("in another language, a name from right to left", () => {
    const named = (name: string) => ({ ...down, monitor: { ...down.monitor, name } });
    expect(describeEvent(named("שלום"), "", { local: german }).title).toBe("\u2068שלום\u2069 is down");
    expect(describeEvent(named("Hallo"), "", { local: german }).title).toBe("Hallo is down");
  });
});

test("a test of a channel has a name in the language", () => {
  const local = createLocalization("de", { ...textsOf("en"), testName: "Test dieses Kanals" });
  const sample = {
    ...recovery,
    testOf: "c1",
    monitor: { ...recovery.monitor, name: "Test of this channel" },
  };
  expect(describeEvent(sample, "", { local }).title).toBe("Test dieses Kanals is up again");
});
