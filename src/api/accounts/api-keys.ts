import { Type } from "@sinclair/typebox";
import { type ApiKey, RoleSchema } from "../../domain/accounts/api-key.ts";
import { permits, type Role } from "../../domain/accounts/role.ts";
import { iso, isoOrNull, parseTime } from "../../domain/iso-time.ts";
import { PersonName, Time, Timestamp } from "../../domain/schemas/format.ts";
import { closed, named, nullable } from "../../domain/schemas/schema.ts";
import { forbidden } from "../../errors.ts";
import { createKey } from "../../store/ids.ts";
import { operationsOf, resource } from "../auth/authentication.ts";
import { idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const shared = {
  id: Type.String(),
  name: Type.String(),
  keyPrefix: Type.String({ minLength: 16, maxLength: 16 }),
  role: RoleSchema,
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
};

const example = {
  id: "5Y8kqvJfZk1q0TDgYxQ2Wd",
  name: "deploy",
  keyPrefix: "stillup_8Gq2ZxT1",
  role: "viewer",
  expiresAt: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};
export const examples = {
  key: { ...example, lastUsedAt: "2026-11-21T10:00:00.000Z" },
  created: { ...example, key: "stillup_8Gq2ZxT1oPdWn5Kc0vRbYhLmEaUiJsFt3X7Q9wDzG4N6B" },
};
/** Behavior 7.59. */
const ApiKeyBody = Type.Object({ ...shared, lastUsedAt: nullable(Timestamp) }, named("ApiKey", examples.key));

const CreatedApiKeyBody = Type.Object(
  { ...shared, key: Type.String({ description: "The key itself. Only this response contains it." }) },
  named("CreatedApiKey", examples.created),
);

function apiKeyBody(key: ApiKey) {
  const { lastUsedAt } = key;
  return { ...sharedBody(key), lastUsedAt: isoOrNull(lastUsedAt) };
}

function createdApiKeyBody(apiKey: ApiKey, key: string) {
  return { ...sharedBody(apiKey), key };
}

function sharedBody({ id, name, keyPrefix, role, expiresAt, createdAt }: ApiKey) {
  return { id, name, keyPrefix, role, expiresAt: isoOrNull(expiresAt), createdAt: iso(createdAt) };
}

const KeyId = idOf("an API key");
const Expiry = nullable(Time);

const NewApiKey = Type.Object(
  { name: PersonName, role: Type.Optional(RoleSchema), expiresAt: Type.Optional(Expiry) },
  { ...closed, examples: [{ name: "deploy", role: "viewer", expiresAt: "2036-01-31T00:00:00Z" }] },
);

const ApiKeyChanges = Type.Partial(NewApiKey, { ...closed, examples: [{ expiresAt: null }] });

/** Behavior 7, API keys. */
export function apiKeyRoutes({ store, clock, authenticator, bodies }: Services) {
  const apiKey = operationsOf(
    { authenticator, bodies },
    {
      name: "ApiKey",
      one: "an API key",
      params: KeyId,
      answer: ApiKeyBody,
      role: "owner",
    },
  );
  return resource({ authenticator, store }, "/api-keys", "API keys")
    .get(
      "",
      async ({ caller }) => {
        await authenticator.saveUses();
        return { data: (await store.apiKeys.list(caller.organizationId)).map(apiKeyBody) };
      },
      apiKey.list("Lists all keys of the organization, without the secrets. Every role may do this."),
    )
    .post(
      "",
      async ({ authored, caller, body: { name, role = caller.role, expiresAt }, status }) => {
        assertNotAbove(role, caller.role);
        const key = createKey();
        const values = { ...caller, name: name.trim(), role, key, expiresAt: timeOf(expiresAt) ?? null };
        const created = await authored().apiKeys.create(values, clock.now());
        return status(201, { data: createdApiKeyBody(created, key) });
      },
      apiKey.create(
        NewApiKey,
        "Only this response contains the key itself. The default role is that of the caller; a higher one is a 403.",
        { answer: CreatedApiKeyBody },
      ),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body: { name, role, expiresAt } }) => {
        if (role) assertNotAbove(role, caller.role);
        const changes = { name: name?.trim(), role, expiresAt: timeOf(expiresAt) };
        await authenticator.saveUses();
        const key = await authored().apiKeys.update(caller.organizationId, params.id, changes);
        authenticator.forget();
        return { data: apiKeyBody(key) };
      },
      apiKey.update(
        ApiKeyChanges,
        "Changes only the fields that are sent. The key itself cannot be changed.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => {
        const data = await authored().apiKeys.delete(params.id, caller.organizationId);
        authenticator.forget();
        return { data };
      },
      apiKey.delete(
        "Requests with the key get 401 immediately. An organization that ever had a person keeps its last owner.",
        { errors: [422] },
      ),
    );
}

/** Behavior 8.8. Today only an owner, the highest role, may write keys, so that this never fails. */
function assertNotAbove(role: Role, own: Role): void {
  if (!permits(own, role)) throw forbidden();
}

/** @returns undefined if the field is missing, null for a key that never expires */
function timeOf(text: string | null | undefined): number | null | undefined {
  return typeof text === "string" ? parseTime(text) : text;
}
