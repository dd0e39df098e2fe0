import { Type } from "@sinclair/typebox";
import { closed } from "../../domain/schemas/schema.ts";

/** The response of a deletion. */
export const DeletedBody = Type.Object({ id: Type.String() }, closed);

export const deletedExample = { id: "5Y8kqvJfZk1q0TDgYxQ2Wd" };
