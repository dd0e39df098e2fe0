import { Type } from "@sinclair/typebox";
import { closed } from "../../domain/schemas/schema.ts";

/** The binding of a channel to a monitor (behavior 7.31 and 7.51). */
export const BindingBody = Type.Object({ monitorId: Type.String(), alertChannelId: Type.String() }, closed);
