import { Type } from "@sinclair/typebox";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { CreationOptions, RegistrationJson } from "../../domain/people/webauthn/ceremony.ts";
import { PersonName, Timestamp } from "../../domain/schemas/format.ts";
import { closed, named, nullable } from "../../domain/schemas/schema.ts";
import type { Passkey } from "../../store/store.ts";
import { allowed, bodyFor, resource } from "../auth/authentication.ts";
import { answering, creation, deletion, idOf, listing } from "../http/openapi.ts";
import { MAX_BODY } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import { personOf } from "./me.ts";
import { acceptRegistration, optionsToRegister, partyOf } from "./passkey-ceremonies.ts";
import { assertNotByProviderOnly, usableMethods } from "./sign-in.ts";

const example = {
  ...{ id: "5Y8kqvJfZk1q0TDgYxQ2Wd", name: "Phone" },
  ...{ createdAt: "2026-11-21T09:30:00.000Z", lastUsedAt: null },
};
const PasskeyBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
  },
  named("Passkey", example),
);

/** The name of a passkey without one. */
export const PASSKEY = "Passkey";

const challenge = "Zm9yIGFuIGV4YW1wbGUsIG5vdCByYW5kb20gYXQgYWxs";
const credentialId = "oI8bVfkYzIP8oZ8gZc8yXg";

export const registrationExample = {
  id: credentialId,
  type: "public-key" as const,
  response: { clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0", attestationObject: "o2NmbXRkbm9uZQ" },
};

export const creationExample = {
  rp: { id: "stillup.example.com", name: "stillup" },
  user: { id: "NVk4a3F2SmZaazFxMFREZ1l4UTJXZA", name: "ana@example.com", displayName: "Ana" },
  challenge,
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    ...{ residentKey: "required", requireResidentKey: true, userVerification: "required" },
  },
  attestation: "none",
};

const NewPasskey = Type.Object(
  { credential: RegistrationJson, name: Type.Optional(PersonName) },
  { ...closed, examples: [{ credential: registrationExample, name: "Phone" }] },
);

/** Behavior 19.50 to 19.57: the passkeys of the person who is signed in. */
export function passkeyRoutes(services: Services) {
  const { store, clock, authenticator, bodies } = services;
  const { parse, ...create } = bodyFor({ authenticator, bodies }, NewPasskey, {
    role: "viewer",
    largest: MAX_BODY.credential,
  });
  return resource({ authenticator, store }, "/me/passkeys", "People")
    .post(
      "/options",
      async ({ caller }) => {
        const own = personOf(caller);
        assertNotByProviderOnly(services);
        partyOf(services);
        await store.personSessions.assertFresh(own, clock.now());
        const person = await store.people.findProfile(own.personId);
        return { data: await optionsToRegister(services, { kind: "register", person }) };
      },
      {
        beforeHandle: allowed({ role: "viewer" }),
        detail: answering({
          operationId: "createPasskeyOptions",
          summary: "Begin to add a passkey",
          description:
            "The options of `navigator.credentials.create()`, as `PublicKeyCredential.parseCreationOptionsFromJSON()` takes them. They " +
            "hold for 5 minutes, once, and need a sign-in within the last 5 minutes. All routes of passkeys are a 404 on an IP address, and over plain HTTP elsewhere than on localhost.",
          answer: CreationOptions,
          example: creationExample,
          errors: [403, 404, 422],
        }),
      },
    )
    .post(
      "",
      async ({ authored, caller, body: { credential, name = PASSKEY }, status }) => {
        const { personId, sessionId } = personOf(caller);
        assertNotByProviderOnly(services);
        const accepted = await acceptRegistration(services, credential, { kind: "register", personId });
        const { organizationId } = caller;
        const given = { personId, sessionId, organizationId, credential: accepted, name: name.trim() };
        return status(201, { data: passkeyBody(await authored().passkeys.create(given, clock.now())) });
      },
      {
        ...create,
        parse: [() => void partyOf(services), ...parse],
        detail: creation({
          operationId: "createPasskey",
          summary: "Add a passkey",
          description:
            "`credential` is what `toJSON()` of the new credential returns. The device must verify the person.",
          answer: PasskeyBody,
          errors: [404],
        }),
      },
    )
    .get(
      "",
      async ({ caller }) => {
        partyOf(services);
        return { data: (await store.passkeys.list(personOf(caller).personId)).map(passkeyBody) };
      },
      {
        detail: listing({
          operationId: "listPasskeys",
          summary: "List the passkeys of the person",
          description: "The latest first.",
          answer: PasskeyBody,
          errors: [404],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ authored, caller, params: { id } }) => {
        partyOf(services);
        const { personId } = personOf(caller);
        const own = { personId, id, organizationId: caller.organizationId, usable: usableMethods(services) };
        return { data: await authored().passkeys.delete(own) };
      },
      {
        params: idOf("a passkey"),
        beforeHandle: allowed({ role: "viewer" }),
        detail: deletion({
          operationId: "deletePasskey",
          summary: "Remove a passkey",
          description: "The last way to sign in can't be removed.",
          errors: [422],
        }),
      },
    );
}

function passkeyBody({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: iso(createdAt), lastUsedAt: isoOrNull(lastUsedAt) };
}
