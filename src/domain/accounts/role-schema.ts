import { oneOf } from "../schemas/schema.ts";
import { ROLES } from "./role.ts";

/* Apart from role.ts, because TypeBox must stay out of the first script of the page. */

export const RoleSchema = oneOf(ROLES);
