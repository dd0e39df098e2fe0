import { Type } from "@sinclair/typebox";
import { PageSize } from "./format.ts";
import { described, open } from "./schema.ts";

const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 200;

/** How lists of results are paged (interface 4.2 rule 6 and section 8). */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      described(
        PageSize,
        `How many at most: a whole number, ${DEFAULT_SIZE} unless given, ${LARGEST_SIZE} if more.`,
      ),
    ),
    cursor: Type.Optional(
      Type.String({ description: "What the page before gave; the first page has none." }),
    ),
  },
  open,
);

/** Over the largest counts as the largest (decisions 2). */
export function pageSize(limit: string | undefined): number {
  return Math.min(limit === undefined ? DEFAULT_SIZE : Number(limit), LARGEST_SIZE);
}
