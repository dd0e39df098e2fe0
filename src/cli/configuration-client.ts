import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Remote } from "../config.ts";
import { FaultsError } from "../domain/configuration/fault.ts";
import { CHANGE_ACTIONS, OBJECT_KINDS } from "../domain/configuration/plan.ts";
import { oneOf } from "../domain/schemas/schema.ts";
import { faults } from "../domain/schemas/validation.ts";
import { AppError } from "../errors.ts";
import { parsedJson } from "../import/untyped.ts";
import { visibleLine } from "../visible-text.ts";
import type { ConfigurationAccess } from "./configuration-access.ts";
import { exposureOf, isPlain, readKeyFile } from "./key-file.ts";

/** Milliseconds. A large document may wait for other writes. */
const TIMEOUT = 120_000;

/* Answers of the server, whose version may be another one. */

const Changes = Type.Object({
  changes: Type.Array(
    Type.Object({
      action: oneOf(CHANGE_ACTIONS),
      kind: oneOf(OBJECT_KINDS),
      ref: Type.String(),
      fields: Type.Array(Type.String()),
    }),
  ),
});
const Exported = Type.Object({ document: Type.Object({}), secrets: Type.Array(Type.String()) });
const Failure = Type.Object({ error: Type.String() });
const Faulty = Type.Object({
  faults: Type.Array(
    Type.Object({ path: Type.String(), message: Type.String(), got: Type.Optional(Type.String()) }),
    { minItems: 1 },
  ),
});

/**
 * An organization behind a server, by its API (behavior 16.68).
 *
 * @param warn says a sentence to the user
 * @throws UsageError if the file has no key
 */
export function createConfigurationClient(
  { server, keyFile }: Remote,
  warn: (sentence: string) => void,
): ConfigurationAccess {
  const authorization = `Bearer ${readKeyFile(keyFile, "api")}`;
  const exposure = exposureOf(keyFile);
  if (exposure !== undefined) warn(exposure);
  if (isPlain(server)) warn("the key and the document are sent in plain text: use https");

  async function request<T extends TSchema>(
    path: string,
    { data, ...init }: { data: T; method: string; body?: string },
  ): Promise<Static<T>> {
    const { status, body } = await send(`${server}/api/v1/${path}`, {
      ...init,
      headers: { authorization, "content-type": "application/json" },
    });
    const answer = Object(body).data;
    if (status === 200 && fits(data, answer)) return answer;
    if (fits(Faulty, body)) throw new FaultsError(body.faults);
    throw refused(reasonOf(status, body));
  }

  async function send(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT);
      const response = await fetch(url, { ...init, redirect: "manual", signal });
      return { status: response.status, body: parsedJson(await response.text()) };
    } catch (error) {
      const { name, message } = error as Error;
      throw refused(name === "TimeoutError" ? `no answer within ${TIMEOUT / 1000} s` : message);
    }
  }

  function refused(reason: string): AppError {
    return new AppError("refused", `${server}: ${visibleLine(reason)}`);
  }

  return {
    apply: (document, { prune, isDryRun }) => {
      const parameters = {
        ...(isDryRun && { dryRun: "true" }),
        ...(prune !== "none" && { prune: prune === "all" ? "all" : "true" }),
      };
      const path = `apply?${new URLSearchParams(parameters)}`;
      return request(path, { data: Changes, method: "POST", body: JSON.stringify(document) });
    },
    export: () => request("export", { data: Exported, method: "GET" }),
    async setRefs() {
      await request("export/refs", { data: Type.Unknown(), method: "POST" });
    },
  };
}

function fits<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return faults(schema, value, "").length === 0;
}

function reasonOf(status: number, body: unknown): string {
  if (status === 404) return "it does not know this request: its version is older, or the URL is wrong";
  if (fits(Failure, body)) return body.error;
  return `it answered ${status} with something else than a server of stillup does`;
}
