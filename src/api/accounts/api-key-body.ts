import { Type } from "@sinclair/typebox";
import { type ApiKey, RoleSchema } from "../../domain/accounts/api-key.ts";
import { named, nullable } from "../../domain/schemas/schema.ts";
import { iso, isoOrNull, Timestamp } from "../http/time.ts";

const shared = {
  id: Type.String(),
  name: Type.String(),
  keyPrefix: Type.String({ minLength: 16, maxLength: 16 }),
  role: RoleSchema,
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
};

/** Behavior 7.59. */
export const ApiKeyBody = Type.Object({ ...shared, lastUsedAt: nullable(Timestamp) }, named("ApiKey"));

export const CreatedApiKeyBody = Type.Object(
  { ...shared, key: Type.String({ description: "The key itself. Only this response contains it." }) },
  named("CreatedApiKey"),
);

export function apiKeyBody(key: ApiKey) {
  const { lastUsedAt } = key;
  return { ...sharedBody(key), lastUsedAt: isoOrNull(lastUsedAt) };
}

export function createdApiKeyBody(apiKey: ApiKey, key: string) {
  return { ...sharedBody(apiKey), key };
}

function sharedBody({ id, name, keyPrefix, role, expiresAt, createdAt }: ApiKey) {
  return { id, name, keyPrefix, role, expiresAt: isoOrNull(expiresAt), createdAt: iso(createdAt) };
}

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
