import { readFileSync, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { fetchBounded, textOf } from "../bounded-fetch.ts";
import { type Remote, UsageError } from "../config.ts";
import { FaultsError } from "../domain/configuration/history.ts";
import { CHANGE_ACTIONS, OBJECT_KINDS } from "../domain/configuration/plan.ts";
import { oneOf } from "../domain/schemas/schema.ts";
import { faults } from "../domain/schemas/validation.ts";
import { AppError } from "../errors.ts";
import { parsedJson } from "../import/imported.ts";
import { visibleLine } from "../log.ts";
import { fileReason } from "../system-error.ts";
import type { ConfigurationAccess } from "./configuration-access.ts";
import { serverFault } from "./failure.ts";

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

/**
 * An organization behind a server, by its API (behavior 16.68).
 *
 * @param warn says a sentence to the user
 * @throws UsageError if the file has no key
 */
export function createConfigurationClient(
  remote: Remote,
  warn: (sentence: string) => void,
): ConfigurationAccess {
  const { request } = createServerClient(remote, warn);
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
    readAlerting: async (apply) => (await import("./replay-client.ts")).readAlerting(request, apply),
    replay: async (asked) => (await import("./replay-client.ts")).replay(request, asked),
  };
}

/** Milliseconds. A large document may wait for other writes. */
const TIMEOUT = 120_000;

/** Bytes. The plan of a large document has some millions. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** The body of an error. */
export const Failure = Type.Object({ error: Type.String() });
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
  request<T extends TSchema>(path: string, request: ServerRequest<T>): Promise<Static<T>>;
  /** The time of the server at its last answer, in milliseconds since 1970: this machine may have another time. */
  now(): number;
}

/**
 * @property missing the sentence about what the path names, if it does not exist
 * @property patience how long it is sent again while the server answers that it has too many of them, in milliseconds; default: not
 */
interface ServerRequest<T extends TSchema> {
  data: T;
  method: string;
  body?: string;
  missing?: string;
  patience?: number;
}

/**
 * @param warn says a sentence to the user
 * @throws UsageError if the file has no key
 */
export function createServerClient(
  { server, keyFile }: Remote,
  warn: (sentence: string) => void,
): ServerClient {
  const authorization = authorizationFor({ server, keyFile }, warn);
  let time: number | undefined;

  async function request<T extends TSchema>(path: string, given: ServerRequest<T>): Promise<Static<T>> {
    const { data, missing, patience = 0, ...init } = given;
    const { status, body, pause } = await send(`${server}/api/v1/${path}`, {
      ...init,
      headers: { authorization, "content-type": "application/json" },
    });
    if (status === 429 && pause <= patience) {
      await setTimeout(pause);
      return request(path, { ...given, patience: patience - pause });
    }
    const answer = Object(body).data;
    if ([200, 201, 202].includes(status) && fits(data, answer)) return answer;
    if (status === 404 && missing !== undefined && fits(Failure, body))
      throw new AppError("not_found", missing);
    if (fits(Faulty, body)) throw new FaultsError(body.faults);
    throw refused(reasonOf(status, body));
  }

  /** @returns with how long the server wants no other request, in milliseconds */
  async function send(
    url: string,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown; pause: number }> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT);
      const answer = await fetchBounded(url, { ...init, redirect: "manual", signal }, MAX_ANSWER);
      time = Date.parse(answer.headers.get("date") ?? "") || undefined;
      const seconds = Number(answer.headers.get("retry-after") ?? 1) || 1;
      return { status: answer.status, body: parsedJson(textOf(answer)), pause: seconds * 1000 };
    } catch (error) {
      throw refused(serverFault(error, TIMEOUT));
    }
  }

  function refused(reason: string): AppError {
    return new AppError("refused", `${server}: ${visibleLine(reason)}`);
  }

  return { request, now: () => time ?? Date.now() };
}

/**
 * The header with the key of a server.
 *
 * @param warn says a sentence to the user, if others can read the key
 * @throws UsageError if the file has no key
 */
export function authorizationFor({ server, keyFile }: Remote, warn: (sentence: string) => void): string {
  const authorization = `Bearer ${readKeyFile(keyFile, "api")}`;
  const exposure = exposureOf(keyFile);
  if (exposure !== undefined) warn(exposure);
  if (isPlain(server)) warn("the key is sent in plain text: use https");
  return authorization;
}

export function fits<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return faults(schema, value, "").length === 0;
}

export const UNAUTHORIZED = "Unauthorized: the key is unknown, expired or deleted";

/** For an answer that stillup does not send, such as the page of a proxy. */
export const foreignAnswer = (status: number) =>
  `it answered ${status} with something else than a server of stillup does`;

function reasonOf(status: number, body: unknown): string {
  if (status === 404) return "it does not know this request: its version is older, or the URL is wrong";
  if (status === 401) return UNAUTHORIZED;
  if (status === 403) return "Forbidden: the role of the key must be admin or owner";
  if (fits(Failure, body)) return body.error;
  return foreignAnswer(status);
}

/** The kinds of keys, each with what is said of it. */
const kinds = {
  probe: {
    pattern: /^stillup_probe_[0-9A-Za-z]{43}$/,
    is: "the key of a location, which begins with stillup_probe_",
  },
  api: { pattern: /^stillup_[0-9A-Za-z]{43}$/, is: "an API key, which begins with stillup_" },
};

/** The key in the first line of a file. @throws UsageError that does not repeat what the file contains */
export function readKeyFile(path: string, kind: keyof typeof kinds): string {
  const [line = ""] = contentOf(path).trimStart().split("\n");
  const key = line.trim();
  const { pattern, is } = kinds[kind];
  if (pattern.test(key)) return key;
  throw new UsageError(`the first line of ${path} must be ${is}`);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${fileReason(error)}`);
  }
}

/**
 * A warning about a key file that more users can read than need to (behavior 9.22): everybody, or a group although this process
 * runs as the owner. A service may read its key by its group. Undefined if there is none.
 */
export function exposureOf(path: string): string | undefined {
  const { mode, uid } = statSync(path);
  const readers =
    mode & 0o004 ? "all users" : mode & 0o040 && uid === process.getuid?.() ? "its group" : null;
  return readers === null ? undefined : `${path} can be read by ${readers}: its mode should be 0600`;
}

/** Whether requests to a server leave this machine without encryption. */
export function isPlain(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
