import { invalid } from "../../errors.ts";

/** The parts of `--discover`, with what follows `=`. */
const PARTS = [
  "docker",
  "docker=SOCKET",
  "kubernetes",
  "files=GLOB",
  "http=URL",
  "grace=SECONDS",
  "host=HOST",
];

/** The form of `--discover` in words (behavior 28.5). */
export const DISCOVER_FORM = `a comma-separated list of ${PARTS.join(", ")}, or the value of discover in a configuration file as JSON`;

/**
 * The value of `--discover` in the form of `discover` in a document. Its values are not validated: see `discoverFaults`. Command line and
 * probes have no schemas.
 *
 * @throws AppError `invalid` that says what is wrong, without the text, which may have a password or a token
 */
export function parseDiscover(text: string): object {
  const trimmed = text.trim();
  return trimmed.startsWith("{") ? parseJson(trimmed) : parseList(trimmed.split(","));
}

function parseJson(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("it begins with { and is no valid JSON");
  }
}

function parseList(parts: string[]): object {
  const given = new Map<string, string | undefined>();
  for (const [at, part] of parts.entries()) {
    const [, name = "", , value] = /^\s*([a-z]+)\s*(=(.*))?$/s.exec(part) ?? [];
    if (!KNOWN.has(name))
      throw invalid(`its part ${at + 1} is none of these: a value with a comma can be given as JSON`);
    if (given.has(name)) throw invalid(`${name} is given twice`);
    if (name === "kubernetes" && value !== undefined) throw invalid("kubernetes has no value");
    if (value === undefined && !WITHOUT_VALUE.has(name)) throw invalid(`${name} needs a value`);
    given.set(name, value?.trim());
  }
  return settingsOf(given);
}

const WITHOUT_VALUE = new Set(["docker", "kubernetes"]);
const SOURCES = ["docker", "kubernetes", "files", "http"];
const KNOWN = new Set([...SOURCES, "grace", "host"]);

function settingsOf(given: ReadonlyMap<string, string | undefined>): object {
  const [host, grace] = [given.get("host"), given.get("grace")];
  if (!SOURCES.some((name) => given.has(name)))
    throw invalid(`it needs at least one of ${SOURCES.join(", ")}`);
  if (host !== undefined && !given.has("docker")) throw invalid("host needs docker");
  return {
    ...(given.has("docker") && {
      docker: { socket: given.get("docker") ?? DOCKER_SOCKET, ...(host !== undefined && { host }) },
    }),
    ...(given.has("kubernetes") && { kubernetes: {} }),
    ...(given.has("files") && { files: given.get("files") }),
    ...(given.has("http") && { http: given.get("http") }),
    ...(grace !== undefined && { grace: /^\d{1,9}$/.test(grace) ? Number(grace) : grace }),
  };
}

/** Where an engine listens by default. */
export const DOCKER_SOCKET = "/var/run/docker.sock";
