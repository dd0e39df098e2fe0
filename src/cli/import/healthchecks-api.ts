import { AppError } from "../../errors.ts";
import type { Healthchecks } from "../../import/healthchecks/healthchecks.ts";
import { recordOf } from "../../import/untyped.ts";
import { MAX_SOURCE } from "./source-file.ts";

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
  const text = await textOf(response, address);
  return { address, status: response.status, body: parsed(text) };
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
    throw new AppError("refused", `${address} does not answer: ${(error as Error).message}`);
  }
}

async function textOf({ body }: Response, address: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_SOURCE) break;
    }
  } catch (error) {
    throw new AppError("refused", `${address} does not answer: ${(error as Error).message}`);
  }
  if (text.length <= MAX_SOURCE) return text + decoder.decode();
  throw new AppError("refused", `${address} answers with more than ${MAX_SOURCE} characters`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
