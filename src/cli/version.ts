import { Command } from "commander";
import { version } from "../../package.json";
import { type BoundedAnswer, fetchBounded, textOf } from "../bounded-fetch.ts";
import { type Flags, processSurroundings, readReleasesUrl } from "../config.ts";
import { isSecureUrl } from "../domain/network/local-request.ts";
import { isNewerVersion, parseVersion, type Version } from "../domain/version-order.ts";
import { writeToOutput } from "../log.ts";
import { serverFault } from "./failure.ts";
import { Exit, printJson, printText, say, withSettings } from "./options.ts";

const IS_NEWER = 1;
/** As of `stillup status`. */
const UNREADABLE = 3;

/** Time for all requests together. */
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;
/** Bytes. GitHub answers with about 2 kB for each file of a release. */
const MAX_ANSWER = 1024 * 1024;
const MAX_URL = 500;

interface VersionOptions extends Flags {
  check?: true;
  json?: true;
}

/** @property url the page of the release */
interface Release {
  version: Version;
  url: string | null;
}

export function versionCommand(): Command {
  const command = new Command("version")
    .description("print the version")
    .option(
      "--check",
      "ask whether a newer version is released; exit code 0 if none is, 1 if one is, 3 if the answer can't be read",
    )
    .option("--json", "print JSON");
  return withSettings(command, ["releasesUrl"]).action(async ({ check, json, ...flags }: VersionOptions) => {
    if (check) return checkVersion(flags, json ?? false);
    if (json) printJson({ version });
    else writeToOutput(version);
  });
}

/** Behavior 9.130: the only request that stillup sends about itself, and only if a person or a script asks for it. */
async function checkVersion(flags: Flags, isJson: boolean): Promise<void> {
  const address = readReleasesUrl(flags, processSurroundings());
  const { version: newest, url } = await readOrExit(address);
  const own = parseVersion(version);
  const isNewer = own !== undefined && isNewerVersion(newest, own);
  if (isJson) printJson({ version, newest: newest.text, isNewer, url });
  else
    await printText(
      `${isNewer ? newerThan(version, newest, url) : `stillup ${version} is the newest version`}\n`,
    );
  if (isNewer) throw new Exit(IS_NEWER);
}

function newerThan(own: string, newest: Version, url: string | null): string {
  return `stillup ${newest.text} is released, this is ${own}${url === null ? "" : `: ${url}`}`;
}

async function readOrExit(address: string): Promise<Release> {
  try {
    return await readRelease(address);
  } catch (error) {
    say(
      `stillup: the newest version is unknown: ${new URL(address).host}: ${serverFault(error, TIMEOUT_MS)}`,
    );
    throw new Exit(UNREADABLE);
  }
}

/**
 * Reads the newest release. @param timeout of all requests together, in milliseconds
 *
 * @throws Error that completes a sentence about the server, or the error of `fetch`
 */
export async function readRelease(address: string, timeout = TIMEOUT_MS): Promise<Release> {
  const answer = await follow(address, timeout);
  if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
  const { tag_name: tag, html_url: page } = parsed(textOf(answer));
  const found = typeof tag === "string" ? parseVersion(tag) : undefined;
  if (!found) throw new Error("its answer is no release: tag_name must be a version, such as v1.2.3");
  return { version: found, url: linkOf(page) };
}

/** Each request goes to HTTPS, or to this machine. No request names this installation. */
async function follow(address: string, timeout: number): Promise<BoundedAnswer> {
  const signal = AbortSignal.timeout(timeout);
  // GitHub requires a user agent.
  const headers = { accept: "application/json", "user-agent": "stillup" };
  let to = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await fetchBounded(to, { headers, signal, redirect: "manual" }, MAX_ANSWER);
    const location = answer.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === null) return answer;
    to = URL.parse(location, to)?.href ?? "";
    if (!isSecureUrl(to))
      throw new Error("its redirect leads to no URL that is allowed: https:// is required");
  }
  throw new Error(`there are more than ${MAX_REDIRECTS} redirects`);
}

function parsed(text: string): { tag_name?: unknown; html_url?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Error("its answer is not JSON");
  }
}

/** A parsed URL has no control characters. */
function linkOf(page: unknown): string | null {
  if (typeof page !== "string" || page.length > MAX_URL || !isSecureUrl(page)) return null;
  return URL.parse(page)?.href ?? null;
}
