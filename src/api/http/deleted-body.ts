import { Type } from "@sinclair/typebox";
import { named } from "../../domain/schemas/schema.ts";

/** The response of a deletion. */
export const DeletedBody = Type.Object({ id: Type.String() }, named("Deleted"));

export const deletedExample = { id: "5Y8kqvJfZk1q0TDgYxQ2Wd" };
