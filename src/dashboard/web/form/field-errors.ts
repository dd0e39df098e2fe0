/** What is wrong with each field of a form, in a sentence; and under no name, with none or another. */
export type Wrong = Record<string, string>;

/**
 * Puts each sentence beside the field that it begins with, as the API's do: `config.port must be …`, `name is required`.
 * Of several for one field the first counts.
 */
export function byField(sentences: string[], fields: string[]): Wrong {
  const wrong: Wrong = {};
  for (const words of sentences) {
    const [first = ""] = words.split(" ");
    const field = fields.find((one) => first === one || first.startsWith(`${one}.`)) ?? "";
    wrong[field] ??= field === "" ? words : sentence(words.slice(first.length).replace(/^ (of )?/, ""));
  }
  return wrong;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
