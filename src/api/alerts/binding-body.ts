import { Type } from "@sinclair/typebox";
import type { AlertBinding } from "../../domain/alerts/alert-binding.ts";
import { named } from "../../domain/schemas/schema.ts";

/** The binding of a channel to a monitor (behavior 7.31, 7.51, 14.5). */
export const BindingBody = Type.Object(
  {
    monitorId: Type.String(),
    alertChannelId: Type.String(),
    after: Type.Optional(
      Type.Integer({
        description: "Seconds that the trouble must last before the channel is notified, if not 0.",
      }),
    ),
    every: Type.Optional(
      Type.Integer({ description: "Seconds after which the notification is repeated, if not 0." }),
    ),
  },
  named("AlertBinding"),
);

export function bindingBody({
  monitorId,
  alertChannelId,
  after,
  every,
}: AlertBinding & { monitorId: string }) {
  return { monitorId, alertChannelId, ...(after > 0 && { after }), ...(every > 0 && { every }) };
}
