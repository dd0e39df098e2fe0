import type { Observed } from "../../../src/domain/locations/protocol.ts";
import { createProbeKey } from "../../../src/store/ids.ts";
import type { Store } from "../../../src/store/store.ts";
import type { TestDatabase } from "./database.ts";

/** A location of a database without a server. */
export interface Place {
  pk: number;
  id: string;
  name: string;
}

/** Creates a location, as if its probe had sent a request at some time. */
export async function createPlace(
  { store, owner }: Pick<TestDatabase, "store" | "owner">,
  name: string,
  seenAt: number | null,
): Promise<Place> {
  const { organizationId } = owner;
  const key = createProbeKey();
  const { id } = await store.locations.create({ organizationId, name, key }, Date.now());
  const probe = await store.locations.findProbe(new Bun.CryptoHasher("sha256").update(key).digest());
  if (!probe) throw new Error("the location has no key");
  if (seenAt !== null) await store.locations.noteSeen(probe.pk, { now: seenAt, version: "1.2.3" });
  return { pk: probe.pk, id, name };
}

let sequence = 0;

/** Records one observation of each of some monitors from a place. */
export async function observeFrom(
  store: Pick<Store, "recording">,
  { pk }: Pick<Place, "pk">,
  seen: { monitorIds: string[]; at: number; isUp: boolean },
): Promise<void> {
  const { at, isUp, monitorIds } = seen;
  const evidence: Observed["evidence"] = isUp
    ? { outcome: "reached", latencyMs: 5, detail: {} }
    : { outcome: "failed", reason: "timeout", detail: {} };
  const observations = monitorIds.map((monitorId) => ({
    sequence: ++sequence,
    monitorId,
    revision: 0,
    at,
    startAt: at,
    evidence,
  }));
  const batch = { location: pk, stream: "a".repeat(22), observations, receivedAt: at };
  await store.recording.recordObservations(batch);
}
