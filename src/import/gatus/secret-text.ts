import { partsOf } from "../../domain/configuration/placeholder.ts";
import type { Secrets } from "../secrets.ts";
import { hasVariable } from "../variables.ts";

/**
 * Writes a secret of Gatus. One that Gatus already takes from the environment stays that variable.
 *
 * @param written the text as a document writes it
 * @param parts name the secret
 */
export function secretText(written: string, secrets: Secrets, ...parts: string[]): string {
  if (hasVariable(written)) return written;
  const text = partsOf(written).map((part) => ("text" in part ? part.text : ""));
  return secrets.write(text.join(""), ...parts);
}
