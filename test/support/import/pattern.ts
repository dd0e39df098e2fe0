/** Whether a body matches a pattern of an imported document: their syntax is the same in RE2 and here, except for the flags. */
export function isMatch(pattern: string, body: string): boolean {
  const [flags = "", letters = ""] = /^\(\?([is]+)\)/.exec(pattern) ?? [];
  return new RegExp(pattern.slice(flags.length), letters).test(body);
}
