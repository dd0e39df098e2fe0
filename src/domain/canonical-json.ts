/** The JSON of a value with the fields of each object in alphabetical order, so that it is equal for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (isObject(inner) ? inOrder(inner) : inner));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
