/** The reason of an HTTP monitor whose certificate ends soon. */
export const EXPIRES_SOON = "expires_soon";

/** The reason of a monitor of a host that fails at some of its addresses. */
export const SOME_ADDRESSES = "some_addresses";

/** The reason of a monitor that pings and loses more pings than its config allows. */
export const PACKET_LOSS = "packet_loss";

/** Why a monitor is Degraded although its latency is as usual. */
export type DegradedBy = typeof EXPIRES_SOON | typeof SOME_ADDRESSES | typeof PACKET_LOSS;

/** @param reason of a result or of an outage; undefined if it has none */
export function isDegradedBy(reason: unknown): reason is DegradedBy {
  return reason === EXPIRES_SOON || reason === SOME_ADDRESSES || reason === PACKET_LOSS;
}
