import { oneOf } from "../schemas/schema.ts";
import { RESULT_STATUSES } from "./status.ts";

/* Apart from status.ts, because TypeBox must stay out of the first script of the page. */

/** Every status that a monitor of some type can have. */
export const StatusSchema = oneOf(["unknown", ...RESULT_STATUSES]);
