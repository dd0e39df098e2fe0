import { expect, test } from "bun:test";
import type { TimelineEntry } from "../../../src/dashboard/web/data/api.ts";
import { describeEntry } from "../../../src/dashboard/web/outages/outage-page.tsx";

const at = "2026-11-21T10:00:00.000Z";
const channel = { id: "c1", name: "on call", type: "SLACK" } as const;
const link = { name: "on call", href: "/channels/c1" };
const sent = { status: "down", channel } as const;
const cause = { monitor: { id: "m1", name: "router" }, outageId: "o1" };

/** Links in brackets. */
function sentenceOf({ text, parts }: ReturnType<typeof describeEntry>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const part = parts[name] ?? place;
    return typeof part === "string" ? part : `[${part.name}](${part.href})`;
  });
}

const CHANNEL = `[${link.name}](${link.href})`;

test.each<[Omit<TimelineEntry, "at">, string, string]>([
  [{ kind: "seen", status: "down" }, "down", "A check first saw Down"],
  [{ kind: "confirmed", status: "havent_heard" }, "warning", "Confirmed: No check-in"],
  [{ kind: "worsened", status: "failed" }, "down", "Got worse: Failed"],
  [{ kind: "notified", ...sent }, "sent", `Notified ${CHANNEL} of Down`],
  [{ kind: "reminded", ...sent }, "sent", `Reminded ${CHANNEL} of Down`],
  [{ kind: "failed", ...sent, error: "no answer" }, "failed", `Could not notify ${CHANNEL} of Down`],
  [
    { kind: "muted", ...sent, cause },
    "unsent",
    `Did not notify ${CHANNEL} of Down because [router](/outages/o1) was down`,
  ],
  [
    { kind: "muted", ...sent, cause: null },
    "unsent",
    `Did not notify ${CHANNEL} of Down because a monitor that it depends on was down`,
  ],
  [
    { kind: "withdrawn", ...sent, why: "ended" },
    "unsent",
    `Did not notify ${CHANNEL} of Down because the outage ended first`,
  ],
  [{ kind: "withdrawn", ...sent }, "unsent", `Did not notify ${CHANNEL} of Down`],
  [
    { kind: "notified", status: "up", channel: { ...channel, name: null } },
    "sent",
    "Notified a deleted channel of Up",
  ],
  [{ kind: "acknowledged", by: "ops", note: "on it" }, "person", "Acknowledged by ops"],
  [{ kind: "acknowledged" }, "person", "Acknowledged by a deleted key"],
  [{ kind: "recovered", status: "up" }, "healthy", "Recovered: Up"],
  [
    { kind: "ended" },
    "waiting",
    "Ended without a recovery: the monitor was paused, or no location could check it",
  ],
])("behavior 14.91: the timeline says %j in words", (entry, tone, sentence) => {
  const content = describeEntry({ at, ...entry });
  expect({ tone: content.tone, sentence: sentenceOf(content) } as { tone: string; sentence: string }).toEqual(
    {
      tone,
      sentence,
    },
  );
});
