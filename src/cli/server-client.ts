import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { fetchBounded, textOf } from "../bounded-fetch.ts";
import type { Remote } from "../config.ts";
import { FaultsError } from "../domain/configuration/fault.ts";
import { faults } from "../domain/schemas/validation.ts";
import { AppError } from "../errors.ts";
import { parsedJson } from "../import/untyped.ts";
import { visibleLine } from "../visible-text.ts";
import { exposureOf, isPlain, readKeyFile } from "./key-file.ts";
import { serverFault } from "./server-fault.ts";

/** Milliseconds. A large document may wait for other writes. */
const TIMEOUT = 120_000;

/** Bytes. The plan of a large document has some millions. */
const MAX_ANSWER = 64 * 1024 * 1024;

const Failure = Type.Object({ error: Type.String() });
const Faulty = Type.Object({
  faults: Type.Array(
    Type.Object({ path: Type.String(), message: Type.String(), got: Type.Optional(Type.String()) }),
    { minItems: 1 },
  ),
});

/** Sends requests to the API of a server. */
export interface ServerClient {
  /**
   * @param path below `/api/v1/` @returns the field `data` of the answer
   * @throws AppError that names the server; FaultsError for a document with faults
   */
  request<T extends TSchema>(
    path: string,
    request: { data: T; method: string; body?: string },
  ): Promise<Static<T>>;
}

/**
 * @param warn says a sentence to the user
 * @throws UsageError if the file has no key
 */
export function createServerClient(
  { server, keyFile }: Remote,
  warn: (sentence: string) => void,
): ServerClient {
  const authorization = `Bearer ${readKeyFile(keyFile, "api")}`;
  const exposure = exposureOf(keyFile);
  if (exposure !== undefined) warn(exposure);
  if (isPlain(server)) warn("the key is sent in plain text: use https");

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
      const answer = await fetchBounded(url, { ...init, redirect: "manual", signal }, MAX_ANSWER);
      return { status: answer.status, body: parsedJson(textOf(answer)) };
    } catch (error) {
      throw refused(serverFault(error, TIMEOUT));
    }
  }

  function refused(reason: string): AppError {
    return new AppError("refused", `${server}: ${visibleLine(reason)}`);
  }

  return { request };
}

function fits<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return faults(schema, value, "").length === 0;
}

function reasonOf(status: number, body: unknown): string {
  if (status === 404) return "it does not know this request: its version is older, or the URL is wrong";
  if (status === 401) return "Unauthorized: the key is unknown, expired or deleted";
  if (status === 403) return "Forbidden: the role of the key must be admin or owner";
  if (fits(Failure, body)) return body.error;
  return `it answered ${status} with something else than a server of stillup does`;
}
