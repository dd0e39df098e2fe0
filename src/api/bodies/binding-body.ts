import { Type } from "@sinclair/typebox";
import { closed } from "../../domain/schemas/schema.ts";

/** What ties a channel to a monitor (interface 2.2 and 2.4). */
export const BindingBody = Type.Object({ monitorId: Type.String(), alertChannelId: Type.String() }, closed);
