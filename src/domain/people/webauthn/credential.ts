import { type Static, Type } from "@sinclair/typebox";
import { open } from "../../schemas/schema.ts";

/** Characters of base64url, without padding. */
const Base64Url = (maxLength: number) => Type.String({ pattern: "^[A-Za-z0-9_-]*$", maxLength });

const base = {
  id: Base64Url(1364),
  type: Type.Literal("public-key"),
};

/** Names of transports that we do not know are kept for the browser (WebAuthn, section 5.8.4). */
const Transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 });

/** `RegistrationResponseJSON`, as `toJSON()` of a new credential returns it (WebAuthn, section 5.1). */
export const RegistrationJson = Type.Object(
  {
    ...base,
    response: Type.Object(
      {
        clientDataJSON: Base64Url(4096),
        attestationObject: Base64Url(8192),
        transports: Type.Optional(Transports),
      },
      open,
    ),
  },
  { ...open, title: "PasskeyRegistration" },
);
export type RegistrationJson = Static<typeof RegistrationJson>;

/** `AuthenticationResponseJSON`, as `toJSON()` of an assertion returns it (WebAuthn, section 5.1). */
export const AssertionJson = Type.Object(
  {
    ...base,
    response: Type.Object(
      {
        clientDataJSON: Base64Url(4096),
        authenticatorData: Base64Url(4096),
        signature: Base64Url(1024),
        userHandle: Base64Url(88),
      },
      open,
    ),
  },
  { ...open, title: "PasskeyAssertion" },
);
export type AssertionJson = Static<typeof AssertionJson>;
