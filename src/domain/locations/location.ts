import { type Static, Type } from "@sinclair/typebox";

/** The number of this server among the locations of a monitor, and its ID in the API (behavior 13.1). */
export const HERE = 0;
export const HERE_ID = "here";

/** A machine that checks monitors besides this server, as an organization has created it. Times are milliseconds since 1970. */
export interface Location {
  id: string;
  name: string;
  createdAt: number;
  /** When its probe last sent a request; null before the first one. */
  lastSeenAt: number | null;
  /** The version of its probe; null before the first request. */
  version: string | null;
  state: LocationState;
}

/** `silent`: its probe sent no request for `SILENT_AFTER`. */
export const LOCATION_STATES = ["new", "connected", "silent"] as const;
export type LocationState = (typeof LOCATION_STATES)[number];

/** Milliseconds (behavior 13.20). */
export const SILENT_AFTER = 60_000;

/** How many of the locations must see trouble for the status to change (behavior 13.10). */
export const DownWhen = Type.Union(
  [Type.Literal("majority"), Type.Literal("any"), Type.Literal("all"), Type.Integer({ minimum: 1 })],
  {
    description:
      "How many locations must see trouble: more than half of them, any, all, or this many. Default: `majority`.",
  },
);
export type DownWhen = Static<typeof DownWhen>;

export const MAX_LOCATIONS = 20;

/** The IDs of the locations of a monitor, in the order of their slots. */
export const LocationIds = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: MAX_LOCATIONS,
  uniqueItems: true,
  description: 'The locations that check the monitor; `here` is this server. Default: `["here"]`.',
  examples: [["here", "Xo7sfTNp21dPjM3kQwZcVb"]],
});

/** Whether a location is the only one, and this server: then nothing of this folder applies. */
export function isOnlyHere(ids: readonly string[]): boolean {
  return ids.length === 1 && ids[0] === HERE_ID;
}

/**
 * By how much the slots of a location are later than the slots of the first location: the slots of all locations of a monitor are
 * spread evenly over its interval (behavior 13.4).
 *
 * @param position of the location among the locations of the monitor, from 0
 * @param interval seconds
 * @returns milliseconds
 */
export function slotOffset(position: number, locations: number, interval: number): number {
  return Math.floor((position * interval * 1000) / locations);
}
