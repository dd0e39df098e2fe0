import { RANGES } from "./range.ts";
import { oneOf } from "./schema.ts";

export const RangeSchema = oneOf(RANGES);
