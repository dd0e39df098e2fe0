import { processSurroundings, UsageError } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { type Healthchecks, importHealthchecks } from "../../import/healthchecks/healthchecks.ts";
import { type Imported, parsedJson, recordOf } from "../../import/imported.ts";
import { serverFault } from "../failure.ts";
import { MAX_SOURCE, readSource } from "./source.ts";

const KEY = "HEALTHCHECKS_API_KEY";

/**
 * Reads the checks of a project of Healthchecks (behavior 16.118).
 *
 * @param from the address of the server, or the path of a file with an answer of its API
 * @throws AppError `refused` if the server or the file does not have them
 */
export async function importFromHealthchecks(
  from: string,
  { withSecrets }: { withSecrets: boolean },
): Promise<Imported> {
  const answers = /^https?:/i.test(from) ? await fetchAll(from) : await readAnswers(from);
  return importHealthchecks(answers, { withSecrets });
}

function fetchAll(address: string): Promise<Healthchecks> {
  if (!/^https?:\/\/[^/]/i.test(address) || URL.parse(address) === null)
    throw new UsageError(
      `URL must begin with http:// or https:// and a host, got ${JSON.stringify(address)}`,
    );
  const key = processSurroundings().env[KEY];
  if (!key)
    throw new UsageError(`${KEY} must be the API key of the project: see its settings in Healthchecks`);
  return fetchHealthchecks(address, key);
}

/** The answers of the API, in one object or as a list of checks. */
async function readAnswers(path: string): Promise<Healthchecks> {
  const value = parsedJson(await readSource(path));
  if (value === undefined) throw new AppError("refused", `${path} is not JSON`);
  const { checks = Array.isArray(value) ? value : undefined, channels } = recordOf(value);
  if (!Array.isArray(checks))
    throw new AppError("refused", `${path} has no "checks": it must be an answer of /api/v3/checks/`);
  return { checks, channels };
}

/** Milliseconds for an answer. */
const TIMEOUT = 30_000;

/**
 * Asks the API of Healthchecks, version 3.
 *
 * @param address of the server, such as `https://healthchecks.io`; also of its API
 * @throws AppError `refused` that names the address, and never the key
 */
export async function fetchHealthchecks(address: string, key: string): Promise<Healthchecks> {
  const base = address
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "")
    .replace(/\/api(\/v\d+(\/checks)?)?$/, "");
  const checks = await ask(`${base}/api/v3/checks/`, key);
  if (checks.status !== 200) throw refusal(checks);
  const found = recordOf(checks.body).checks;
  if (!Array.isArray(found)) throw failure(checks, "does not answer as Healthchecks does");
  const channels = await ask(`${base}/api/v3/channels/`, key);
  // A read-only key may not list the integrations.
  if (![200, 401, 403].includes(channels.status)) throw refusal(channels);
  return { checks: found, channels: recordOf(channels.body).channels };
}

interface Answer {
  address: string;
  status: number;
  /** Parsed JSON; undefined for anything else. */
  body: unknown;
}

async function ask(address: string, key: string): Promise<Answer> {
  const response = await request(address, key);
  const text = await readText(response, address);
  return { address, status: response.status, body: parsedJson(text) };
}

/** A redirect is not followed, because it could lead the key to another server. */
async function request(address: string, key: string): Promise<Response> {
  try {
    return await fetch(address, {
      headers: { "X-Api-Key": key, Accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch (error) {
    throw new AppError("refused", `${address} does not answer: ${serverFault(error, TIMEOUT)}`);
  }
}

async function readText({ body }: Response, address: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_SOURCE) break;
    }
  } catch (error) {
    throw new AppError("refused", `${address} does not answer: ${serverFault(error, TIMEOUT)}`);
  }
  if (text.length <= MAX_SOURCE) return text + decoder.decode();
  throw new AppError("refused", `${address} answers with more than ${MAX_SOURCE} characters`);
}

function refusal(answer: Answer): AppError {
  const { status } = answer;
  if (status === 401 || status === 403) return failure(answer, "refuses the API key");
  if (status === 404) return failure(answer, "does not exist: is it the address of Healthchecks 3 or later?");
  if (status === 429) return failure(answer, "is asked too often: try again in a minute");
  if (status >= 300 && status < 400)
    return failure(answer, "is a redirect: give the address that it leads to");
  return failure(answer, `answers with the status ${status}`);
}

function failure({ address }: Answer, why: string): AppError {
  return new AppError("refused", `${address} ${why}`);
}
