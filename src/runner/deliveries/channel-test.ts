import { deliver } from "../../alerts/deliver.ts";
import type { DeliverySettings } from "../../alerts/post.ts";
import type { Authorize } from "../../alerts/webpush/vapid.ts";
import type { Clock } from "../../clock.ts";
import type { AlertChannel } from "../../domain/alerts/channel.ts";
import type { ChannelOutcome, Transition } from "../../domain/alerts/delivery.ts";
import { formatOf } from "../../domain/alerts/webhook-format.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import { createId } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";

/**
 * Sends a sample to a channel, enabled or disabled, without a retry. If it has two parts, the second one follows a first one
 * that was delivered.
 *
 * @param onGone called if the receiver will never exist again (behavior 21.56)
 */
export async function testChannel(
  { id, type, config, language }: Pick<AlertChannel, "id" | "type" | "config"> & { language: Language },
  {
    organization,
    settings,
    clock,
    onGone,
  }: {
    organization: Transition["organization"];
    settings: DeliverySettings;
    clock: Pick<Clock, "now">;
    onGone?: () => Promise<unknown>;
  },
): Promise<ChannelOutcome> {
  const now = clock.now();
  const outcome = { channelId: id, type, attempts: 1 };
  for (const sample of sampleTransitions({ type, config }, { organization, now, id: createId() })) {
    const event = { ...sample, testOf: id };
    const attempt = await deliver({ type, config }, { id: createId(), event, now, language }, settings);
    if (attempt.outcome === "delivered") continue;
    if (attempt.isGone) await onGone?.();
    return { ...outcome, status: "failed", error: attempt.error, deliveredAt: null };
  }
  return { ...outcome, status: "delivered", error: null, deliveredAt: clock.now() };
}

/**
 * The notifications that test a channel: a recovery, which is no alarm (behavior 5.29). An incident of PagerDuty begins and ends, under
 * a key of its own (behavior 16.151).
 *
 * @param now ms since 1970
 * @param id of the test, unique
 */
function sampleTransitions(
  { type, config }: Pick<AlertChannel, "type" | "config">,
  { organization, now, id }: { organization: Transition["organization"]; now: number; id: string },
): Transition[] {
  const recovery = sampleRecovery(organization, now);
  if (type !== "WEBHOOK" || formatOf(config) !== "pagerduty") return [recovery];
  const outage = { id: `test-${id}`, startedAt: now };
  const trouble = { previousStatus: "up", status: "down", troubleSince: now } as const;
  const result = { ...recovery.result, latencyMs: null, detail: { reason: "refused" } };
  return [
    { ...recovery, ...trouble, outage, result },
    { ...recovery, outage },
  ];
}

function sampleRecovery(organization: Transition["organization"], now: number): Transition {
  return {
    organization,
    monitor: {
      id: "test",
      name: "Test of this channel",
      type: "HTTP",
      config: { url: "https://example.com/", interval: 60 },
    },
    previousStatus: "down",
    status: "up",
    result: { id: "test", latencyMs: 42, detail: { statusCode: 200 }, createdAt: now },
    since: now - 60_000,
    troubleSince: now - 60_000,
  };
}

/** Who this server is for push services (RFC 8292). Nothing of it is loaded or drawn before its first use (behavior 21.53). */
export interface PushIdentity {
  /** The public key of the pair, an uncompressed point of P-256. */
  publicKey(): Promise<Uint8Array>;
  /** The header `Authorization` of a request. */
  authorize(endpoint: string): Promise<string>;
}

/** The contact of a server whose settings name none: push services refuse a token without one. */
const NO_CONTACT = "mailto:stillup@example.com";

/** @property mailFrom the sender of e-mails @property publicUrl the base URL of the settings */
interface Contact {
  mailFrom: string | undefined;
  publicUrl: string | undefined;
}

export function createPushIdentity(
  { store, clock }: { store: Pick<Store, "pushKeys">; clock: Pick<Clock, "now"> },
  contact: Contact,
): PushIdentity {
  const keys = once(async () => {
    const stored = await store.pushKeys.find();
    return stored ?? store.pushKeys.store(await (await vapid()).generatePushKeys());
  });
  const authorize = once(
    async (): Promise<Authorize> => (await vapid()).createAuthorize(await keys(), subjectOf(contact)),
  );
  return {
    publicKey: async () => (await keys()).publicKey,
    authorize: async (endpoint) => (await authorize())(endpoint, clock.now()),
  };
}

function vapid() {
  return import("../../alerts/webpush/vapid.ts");
}

/** Where the operator of a push service writes to (RFC 8292, 2.1). */
export function subjectOf({ mailFrom, publicUrl }: Contact): string {
  if (mailFrom !== undefined) return new URL(`mailto:${mailFrom}`).href;
  return publicUrl?.startsWith("https:") ? publicUrl : NO_CONTACT;
}

/** Runs once, and again after a failure: the database may have been away. */
function once<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let creating: Promise<Result> | undefined;
  return () => {
    creating ??= create().catch((error) => {
      creating = undefined;
      throw error;
    });
    return creating;
  };
}
