import { oneOf } from "../schemas/schema.ts";
import { RANGES } from "./range.ts";

/* Apart from range.ts, because TypeBox must stay out of the first script of the page. */

export const RangeSchema = oneOf(RANGES);
