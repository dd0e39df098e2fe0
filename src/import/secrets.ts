import { createVariableNames, literal, placeholder } from "../domain/configuration/placeholder.ts";

/** Writes the secrets of an imported document. */
export interface Secrets {
  /**
   * The text for a secret in the document: a placeholder, or the secret itself with `--with-secrets`.
   *
   * @param parts name the secret, such as `SLACK`, `ops`, `webhookUrl`
   */
  write(secret: string, ...parts: string[]): string;
  /** The variables of the placeholders that were written, in their order. */
  variables(): string[];
}

/**
 * @param withSecrets whether the document contains the secrets themselves (behavior 16.93)
 * @param taken variables of the document that mean something else
 */
export function createSecrets(withSecrets: boolean, taken: Iterable<string> = []): Secrets {
  const nameOf = createVariableNames(taken);
  const names: string[] = [];
  return {
    write(secret, ...parts) {
      if (withSecrets) return literal(secret);
      const name = nameOf(...parts);
      names.push(name);
      return placeholder(name);
    },
    variables: () => [...names],
  };
}
