import { literal, partsOf, placeholder } from "../../domain/configuration/placeholder.ts";
import { hasVariable, type Secrets } from "../output-config.ts";

/*
 * Gatus replaces `$NAME` and `${NAME}` in its file by variables of the environment, and `$$` by `$`. In a configuration
 * document only `${NAME}` is a placeholder.
 */

const TOKEN = /\$\$|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)|\uE000(\w+)\uE001/g;

/**
 * A text of YAML in which `${NAME}` can be anywhere: Gatus replaces variables before it parses the text, so that the braces need
 * no quotes there. `writtenValue` knows the marks.
 */
export function withMarkedVariables(yaml: string): string {
  return yaml.replaceAll(/[\uE000\uE001]/g, "").replaceAll(TOKEN, (token, braced) => {
    return braced === undefined ? token : `\uE000${braced}\uE001`;
  });
}

/** The texts of a value of Gatus as a document writes them; keys stay as they are. */
export function writtenValue(value: unknown): unknown {
  if (typeof value === "string") return written(value.toWellFormed());
  if (Array.isArray(value)) return value.map(writtenValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, writtenValue(one)]));
}

function written(text: string): string {
  let result = "";
  let plain = "";
  let end = 0;
  for (const { 0: token, 1: braced, 2: bare, 3: marked, index } of text.matchAll(TOKEN)) {
    const name = braced ?? bare ?? marked;
    plain += text.slice(end, index) + (name === undefined ? "$" : "");
    end = index + token.length;
    if (name === undefined) continue;
    result += literal(plain) + placeholder(name);
    plain = "";
  }
  return result + literal(plain + text.slice(end));
}

/**
 * Writes a secret of Gatus. A secret that Gatus already takes from the environment stays that variable.
 *
 * @param written the text as a document writes it
 * @param parts name the secret
 */
export function secretText(written: string, secrets: Secrets, ...parts: string[]): string {
  if (hasVariable(written)) return written;
  const text = partsOf(written).map((part) => ("text" in part ? part.text : ""));
  return secrets.write(text.join(""), ...parts);
}
