import type { Change } from "../scenario.ts";
import { addressRecords, type Handler, type NameReply, type Spot } from "./spot.ts";

/** Creates the handler of a place. */
export type Answering = (spot: Spot) => Handler | Promise<Handler>;

/** @param at its addresses, by number, or `::1` */
export function serves(answering: Answering, ...at: (number | "::1")[]): Change {
  return async (spot) => {
    const handler = await answering(spot);
    for (const address of addressesOf(spot, at)) await spot.serve(handler, address);
  };
}

export function refuses(...at: (number | "::1")[]): Change {
  return (spot) => {
    for (const address of addressesOf(spot, at)) spot.refuse(address);
  };
}

/** No attempt to connect is answered there. It takes longer than other changes. */
export function deafens(...at: (number | "::1")[]): Change {
  return (spot) => spot.deafen(...addressesOf(spot, at));
}

/** The name has these addresses: addresses of the place by number, or others. */
export function resolvesTo(...addresses: (number | string)[]): Change {
  return (spot) =>
    spot.resolve(
      addressRecords(
        spot.host,
        ...addresses.map((one) => (typeof one === "number" ? spot.address(one) : one)),
      ),
    );
}

/** @param replyOf to each query for the name @param nth of the address of its own DNS server; default: the one of the world */
export function repliesDns(replyOf: (spot: Spot) => NameReply, nth?: number): Change {
  return (spot) => (nth === undefined ? spot.resolve(replyOf(spot)) : spot.resolveAt(nth, replyOf(spot)));
}

/** One after another. */
export function all(...changes: Change[]): Change {
  return async (spot) => {
    for (const change of changes) await change(spot);
  };
}

/** Changes a place only the first time. */
export function once(change: Change): Change {
  const done = new WeakSet();
  return async (spot) => {
    if (done.has(spot)) return;
    done.add(spot);
    await change(spot);
  };
}

export const nothing: Change = () => {};

function addressesOf(spot: Spot, at: (number | "::1")[]): string[] {
  if (at.length === 0) return [spot.address()];
  return at.map((one) => (one === "::1" ? one : spot.address(one)));
}
