import { oneOf } from "../schemas/schema.ts";
import { statusesOf } from "./status.ts";

/** Every status that some type of monitor can have. */
export const StatusSchema = oneOf([...new Set(["unknown", ...Object.values(statusesOf).flat()] as const)]);
