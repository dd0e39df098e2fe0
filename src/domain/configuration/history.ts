import { type Static, Type } from "@sinclair/typebox";
import { closed, described, mapOf } from "../schemas/schema.ts";

/** The most days of history that a document may have for a monitor. */
export const MOST_DAYS = 400;

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** The results of one day. */
export const DayCounts = Type.Object(
  {
    up: Type.Optional(described(Count, "How many checks were good.")),
    down: Type.Optional(described(Count, "How many checks were bad.")),
    latency: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 3_600_000,
        description: "The mean latency of the good checks, in milliseconds.",
      }),
    ),
  },
  closed,
);
export type DayCounts = Static<typeof DayCounts>;

/** Behavior 16.45. */
export const History = mapOf(mapOf(DayCounts), {
  description:
    "The past of new monitors, for a move from another product: by ref and UTC day. It is taken only when the same document " +
    "creates the monitor.",
  examples: [{ shop: { "2026-11-20": { up: 1437, down: 3, latency: 120 } } }],
});
export type History = Static<typeof History>;
