/** In an example: any text, any value of a field, or any number of entries of a list. */
const LEFT_OUT = "…";

/** Values that differ between runs, and their kinds. An example matches any value of the same kind. */
const CHANGING: [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>"],
  [/\bstillup_\w{43}\b/g, "<key>"],
  [/\bstillup_probe_\w{43}\b/g, "<key of a location>"],
  [/\bstillup_\w{8}\b/g, "<key prefix>"],
  [/\b00[\w-]{30}(?![\w-])/g, "<audit entry>"],
  [/\b[0-9a-f]{64}\b/g, "<hash>"],
  [/\b[\w-]{26}\b/g, "<delivery>"],
  [/(?<![\w-])[\w-]{22}(?![\w-])/g, "<id>"],
  [/\b0{4}\w{6}\b/g, "<result>"],
  [/\b[A-Z][a-z]{2} \d{1,2}(, \d\d:00)?(?=$|")/g, "<bucket>"],
];

/** Measured durations in milliseconds, which differ in each run. */
const MEASURED = new Set([
  "latencyMs",
  "durationMs",
  "downMs",
  "downSeconds",
  "resolve",
  "connect",
  "tls",
  "firstByte",
  "body",
]);

/**
 * The differences between the JSON in an example and the JSON that was printed. Times, IDs, keys and latencies are equal if
 * they are of the same kind. Line breaks do not matter.
 */
export function differences(shown: string, printed: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    return [`not JSON: ${printed}`];
  }
  return compare(JSON.parse(shown), value, "");
}

/** Whether the printed text matches the example, in which `…` is any text. CSV has the line breaks of the example. */
export function isShown(shown: string, printed: string): boolean {
  const pattern = shown.trim().split(LEFT_OUT).map(RegExp.escape).join(".*");
  return new RegExp(`^${pattern}$`, "s").test(printed.replaceAll("\r\n", "\n").trim());
}

function compare(shown: unknown, printed: unknown, at: string): string[] {
  if (shown === LEFT_OUT && printed !== undefined) return [];
  if (Array.isArray(shown) && Array.isArray(printed)) return compareLists(shown, printed, at);
  if (isObject(shown) && isObject(printed)) return compareObjects(shown, printed, at);
  if (typeof shown === "string" && typeof printed === "string") {
    return isShown(kindOf(shown), kindOf(printed)) ? [] : [differ(shown, printed, at)];
  }
  const measured = MEASURED.has(at.split(".").at(-1) ?? "");
  if (measured && typeof shown === "number" && typeof printed === "number") return [];
  return shown === printed ? [] : [differ(shown, printed, at)];
}

function compareLists(shown: unknown[], printed: unknown[], at: string): string[] {
  const entries = shown.filter((entry) => entry !== LEFT_OUT);
  const left = shown.length - entries.length;
  if (left === 0 ? printed.length !== entries.length : printed.length < entries.length)
    return [`${at}: ${entries.length} entries shown, ${printed.length} printed`];
  const from = shown[0] === LEFT_OUT ? printed.length - entries.length : 0;
  return entries.flatMap((entry, index) => compare(entry, printed[from + index], `${at}.${index}`));
}

function compareObjects(shown: Record<string, unknown>, printed: Record<string, unknown>, at: string) {
  const fields = new Set([...Object.keys(shown), ...Object.keys(printed)]);
  return [...fields].flatMap((field) => compare(shown[field], printed[field], `${at}.${field}`));
}

function kindOf(text: string): string {
  return CHANGING.reduce((all, [pattern, kind]) => all.replaceAll(pattern, kind), text);
}

function differ(shown: unknown, printed: unknown, at: string): string {
  return `${at || "it"}: ${JSON.stringify(shown)} shown, ${JSON.stringify(printed)} printed`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
