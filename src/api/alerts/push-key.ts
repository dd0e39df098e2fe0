import { Type } from "@sinclair/typebox";
import { named } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const PushKeyBody = Type.Object(
  { publicKey: Type.String({ description: "A point of P-256, in base64url." }) },
  named("PushKey"),
);

/** Behavior 21.53. */
export function pushKeyRoutes({ authenticator, pushIdentity }: Services) {
  return resource(authenticator, "/webpush", "Alert channels").get(
    "",
    async () => ({ data: { publicKey: Buffer.from(await pushIdentity.publicKey()).toString("base64url") } }),
    {
      detail: answering({
        operationId: "getPushKey",
        summary: "Get the key for push subscriptions",
        description:
          "Returns the `applicationServerKey` with which a browser subscribes. The server creates it at its first use and keeps it.",
        answer: PushKeyBody,
        example: {
          publicKey:
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        },
      }),
    },
  );
}
