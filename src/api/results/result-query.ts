import { Type } from "@sinclair/typebox";
import { parseTime } from "../../domain/iso-time.ts";
import { Time } from "../../domain/schemas/format.ts";
import { described, oneOf, parameter } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";

/** The query parameters of a stretch of time, as properties of an object. */
export const stretchParameters = {
  from: Type.Optional(parameter(Time, "The start, ISO 8601 with an offset. Default: all that is stored.")),
  to: Type.Optional(parameter(Time, "The end, not included. Default: now.")),
};

/** The query parameters that choose results (behavior 16.200, 16.201). */
export const resultParameters = {
  ...stretchParameters,
  problems: Type.Optional(
    described(oneOf(["true", "false"]), "Whether only results with a status of group warning or down."),
  ),
};

interface Query {
  from?: string;
  to?: string;
}

/**
 * The stretch of time of a query, in milliseconds since 1970.
 *
 * @throws AppError `invalid` for one that ends before it begins
 */
export function stretchOf({ from, to }: Query): { from: number | undefined; to: number | undefined } {
  const stretch = { from: parseTime(from ?? "") ?? undefined, to: parseTime(to ?? "") ?? undefined };
  if (stretch.from !== undefined && stretch.to !== undefined && stretch.from >= stretch.to)
    throw invalid("to must be later than from");
  return stretch;
}

/** The results that a query chooses. @throws AppError `invalid` like `stretchOf` */
export function resultFilterOf({ problems, ...query }: Query & { problems?: "true" | "false" }) {
  return { ...stretchOf(query), problems: problems === "true" };
}
