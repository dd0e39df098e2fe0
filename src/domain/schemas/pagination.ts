import { Type } from "@sinclair/typebox";
import { PageSize } from "./format.ts";
import { described, open } from "./schema.ts";

const DEFAULT_SIZE = 50;
const MAX_SIZE = 200;

/** The query parameters of a paged list (behavior 7.22, 7.23). */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      described(
        PageSize,
        `The size of a page: a whole number, default ${DEFAULT_SIZE}, at most ${MAX_SIZE}.`,
      ),
    ),
    cursor: Type.Optional(
      Type.String({ description: "The `cursor` of the previous page. Leave it out for the first page." }),
    ),
  },
  open,
);

/** The size of a page. A larger number than the maximum means the maximum (behavior 7.22). */
export function pageSize(limit: string | undefined): number {
  return Math.min(limit === undefined ? DEFAULT_SIZE : Number(limit), MAX_SIZE);
}
