import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Command } from "commander";
import {
  type Flags,
  processSurroundings,
  type Remote,
  readRemote,
  remoteSettings,
  UsageError,
} from "../config.ts";
import { homeDirectory } from "../home-directory.ts";
import { isTerminal } from "../log.ts";
import { createServerClient, readKeyFile } from "./configuration-client.ts";
import { assertNoOrganization, say, warn, withSettings } from "./options.ts";

/*
 * The context: the server and the key that the commands use without `--server` (behavior 9.120 to 9.122). Its file has the key in its
 * first line, as each key file has, and the URL of the server in the second one.
 */

/** Where the context is. @see XDG Base Directory Specification */
export function contextPath(env: Record<string, string | undefined>): string {
  const { XDG_CONFIG_HOME = "" } = env;
  const folder = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homeDirectory(), ".config");
  return join(folder, "stillup", "context");
}

/**
 * The server that a command uses: the given server, or else the server of the context, unless a database is given.
 *
 * @param mayUseDatabase whether the command can use a database at all
 * @returns undefined for the database @throws UsageError that names the flag or variable and what it accepts
 */
export function findRemote(flags: Flags, { mayUseDatabase = true } = {}): Remote | undefined {
  const surroundings = processSurroundings();
  const { env } = surroundings;
  const server = flags.server ?? env.STILLUP_SERVER;
  const keyFile = flags.keyFile ?? env.STILLUP_KEY_FILE;
  if (server && keyFile) return readRemote(flags, surroundings);
  const isDatabase =
    mayUseDatabase &&
    (flags.dataDir ?? flags.databaseUrl ?? (env.STILLUP_DATA_DIR || env.STILLUP_DATABASE_URL));
  const context = isDatabase && !server ? undefined : readContext(contextPath(env));
  if (!server) return context;
  const given = context && readRemote({ ...flags, keyFile: context.keyFile }, surroundings);
  // Without `--key-file`, the key is only for the server that it was checked with.
  return given?.server === context?.server && given ? given : readRemote(flags, surroundings);
}

/** As `findRemote`, for a command with `--org`. @throws UsageError for both */
export function remoteFor(flags: Flags, org: string | undefined): Remote | undefined {
  const remote = findRemote(flags);
  if (remote) assertNoOrganization(org);
  return remote;
}

/** @returns undefined without a context @throws UsageError for a file with something else */
function readContext(path: string): Remote | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const server = text.split("\n")[1]?.trim();
  if (!server) throw new UsageError(`${path} is not what stillup login wrote: sign in again`);
  return readRemote({ server, keyFile: path }, { env: {}, isTerminal: false });
}

const Session = Type.Object({ role: Type.String() });
const Organization = Type.Object({ name: Type.String() });

export function loginCommand(): Command {
  const command = new Command("login")
    .description("keep the URL of a server and a key, which the commands then use without --server")
    .argument("[URL]", "the server, as --server");
  return withSettings(command, remoteSettings, {
    server: "URL of the server",
    keyFile: "file with the API key; default: asked for, or read from standard input",
  }).action(async (url: string | undefined, flags: Flags) => {
    if (url !== undefined && flags.server !== undefined)
      throw new UsageError("give the URL or --server, not both");
    const { env } = processSurroundings();
    const server = url ?? flags.server ?? env.STILLUP_SERVER;
    if (!server) throw new UsageError("give the URL of the server: stillup login https://status.example.com");
    const path = contextPath(env);
    const given = flags.keyFile ?? env.STILLUP_KEY_FILE;
    const key = given ? readKeyFile(given, "api") : await readKey();
    const incoming = `${path}.new`;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      rmSync(incoming, { force: true });
      writeFileSync(incoming, `${key}\n`, { mode: 0o600, flag: "wx" });
      const remote = readRemote({ server, keyFile: incoming }, { env: {}, isTerminal: false });
      if (!remote) throw new UsageError("give the URL of the server");
      writeFileSync(incoming, `${key}\n${remote.server}\n`);
      chmodSync(incoming, 0o600);
      const { request } = createServerClient(remote, warn);
      const { role } = await request("session", { data: Session, method: "GET" });
      const { name } = await request("organization", { data: Organization, method: "GET" });
      renameSync(incoming, path);
      say(`Signed in to ${remote.server}: organization ${name}, role ${role}`);
    } finally {
      rmSync(incoming, { force: true });
    }
  });
}

export function logoutCommand(): Command {
  return new Command("logout").description("forget what login has kept; the key stays valid").action(() => {
    const path = contextPath(processSurroundings().env);
    const context = readContext(path);
    if (!context) return say("nobody is signed in");
    rmSync(path);
    say(`Signed out of ${context.server}. The key stays valid: to end it, see stillup help keys revoke`);
  });
}

/** The key in the first line of standard input, which a terminal does not show. @throws UsageError without one */
async function readKey(): Promise<string> {
  const { stdin } = process;
  const isHidden = stdin.isTTY === true && isTerminal(2);
  if (isHidden) process.stderr.write("API key (it is not shown): ");
  let text = "";
  stdin.setEncoding("utf8");
  if (isHidden) stdin.setRawMode(true);
  try {
    for await (const part of stdin as AsyncIterable<string>) {
      text = typed(text, part);
      if (/[\r\n]/.test(text)) break;
    }
  } finally {
    if (isHidden) {
      stdin.setRawMode(false);
      process.stderr.write("\n");
    }
  }
  const key = (text.split(/[\r\n]/)[0] ?? "").trim();
  if (/^stillup_[0-9A-Za-z]{43}$/.test(key)) return key;
  throw new UsageError("the key must be an API key, which begins with stillup_");
}

const INTERRUPT = "\u0003";
const ERASED = /[^\u007f\b][\u007f\b]/;

/** A text that is typed on a raw terminal, with its corrections. @throws UsageError for Ctrl+C */
function typed(before: string, part: string): string {
  if (part.includes(INTERRUPT)) throw new UsageError("no key was given");
  let text = before + part;
  while (ERASED.test(text)) text = text.replace(ERASED, "");
  return text;
}
