import { oneOf } from "../schemas/schema.ts";
import { ROLES } from "./role.ts";

export const RoleSchema = oneOf(ROLES);
