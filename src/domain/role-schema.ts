import { ROLES } from "./role.ts";
import { oneOf } from "./schema.ts";

export const RoleSchema = oneOf(ROLES);
