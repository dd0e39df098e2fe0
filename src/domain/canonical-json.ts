/** The JSON of a value with the fields of each object in alphabetical order, so that it is equal for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (isObject(inner) ? inOrder(inner) : inner));
}

/** Whether two values have the same `canonicalJson`, in a fraction of the time. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length && one.every((value, at) => isSameJson(value ?? null, other[at] ?? null))
    );
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const [fields, others] = [givenIn(one), givenIn(other)];
  const values = new Map(others);
  return (
    fields.length === others.length &&
    fields.every(([name, value]) => values.has(name) && isSameJson(value, values.get(name)))
  );
}

/** JSON does not have the fields that are undefined. */
function givenIn(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined);
}

/** Whether a value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
