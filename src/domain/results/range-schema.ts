import { oneOf } from "../schemas/schema.ts";
import { RANGES } from "./range.ts";

export const RangeSchema = oneOf(RANGES);
