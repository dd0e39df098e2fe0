import type { Fault } from "../domain/configuration/history.ts";
import { partsOf } from "../domain/configuration/placeholder.ts";
import type { SourceFault } from "./source-fault.ts";
import { readYaml, type YamlText } from "./yaml.ts";
import type { Place, ReplaceText } from "./yaml-tree.ts";

/** Bytes of the largest file that is read: enough for 1,000 monitors with 90 days of history each. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the text of a configuration file, and replaces the placeholders in its values by variables of the environment
 * (behavior 16.60). The document is not judged.
 */
export function readConfiguration(text: string, env: Record<string, string | undefined>): YamlText {
  return readYaml(text, replaceFrom(env));
}

/**
 * Completes the faults of a document by what the text says of them. A text that a placeholder was in is not repeated, and
 * what lacks only a variable is not judged.
 *
 * @param judged the faults of the document
 * @returns in the order of the lines
 */
export function placedFaults({ faults, placeOf }: YamlText, judged: readonly Fault[]): SourceFault[] {
  const known = new Set(faults.map(({ path }) => path));
  const others = judged.filter(({ path }) => !known.has(path));
  const all: SourceFault[] = [...faults, ...others.map((fault) => placed(fault, placeOf(fault.path)))];
  return all.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

function placed({ path, message, got }: Fault, { line, text }: Place): SourceFault {
  const isShown = got !== undefined && !text?.includes("${");
  return { path, message, ...(isShown && { got }), ...(line !== undefined && { line }) };
}

function replaceFrom(env: Record<string, string | undefined>): ReplaceText {
  return (text) => {
    if (!text.includes("${")) return { text };
    const missing: string[] = [];
    let replaced = "";
    for (const part of partsOf(text)) {
      if ("malformed" in part) return { fault: MALFORMED };
      const value = "name" in part ? env[part.name] : part.text;
      if (value === undefined && "name" in part) missing.push(part.name);
      replaced += value;
    }
    return missing.length === 0 ? { text: replaced } : { fault: unset(missing) };
  };
}

/** The text itself is not shown, because the rest of it may be a secret. */
const MALFORMED = "must have a name of letters, digits and _ in each ${…}; a literal ${ is written $${";

function unset(missing: string[]): string {
  const [name, ...others] = new Set(missing);
  if (others.length === 0) return `needs the environment variable ${name}, which is not set`;
  return `needs the environment variables ${[name, ...others].join(", ")}, which are not set`;
}
