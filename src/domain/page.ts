import { Type } from "@sinclair/typebox";
import { PageSize } from "./format.ts";

const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 200;

/** How lists of results are paged (interface 4.2 rule 6 and section 8). */
export const PageQuery = Type.Object({
  limit: Type.Optional(PageSize),
  cursor: Type.Optional(Type.String()),
});

/** Over the largest counts as the largest (decisions 2). */
export function pageSize(limit: string | undefined): number {
  return Math.min(limit === undefined ? DEFAULT_SIZE : Number(limit), LARGEST_SIZE);
}
