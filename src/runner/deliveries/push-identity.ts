import type { Authorize } from "../../alerts/webpush/vapid.ts";
import type { Clock } from "../../clock.ts";
import type { Store } from "../../store/store.ts";

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
