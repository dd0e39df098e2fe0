/** Codes that an answer can have: 1xx is never a final one. */
const FIRST = 200;
const LAST = 599;

/** Most entries of an expectation. */
const MOST_ENTRIES = 20;

export type StatusCodes = ReadonlySet<number>;

/** The codes that a condition accepts. */
export function codesThat(accepts: (code: number) => boolean): StatusCodes {
  const codes = new Set<number>();
  for (let code = FIRST; code <= LAST; code++) if (accepts(code)) codes.add(code);
  return codes;
}

/** The entries of `expect.status` for some codes, such as `["2xx", 301]`. Undefined for none, or if they are too many. */
export function statusEntries(codes: StatusCodes): (string | number)[] | undefined {
  const entries = [2, 3, 4, 5].flatMap((digit) => entriesOfClass(codes, digit));
  return entries.length > 0 && entries.length <= MOST_ENTRIES ? entries : undefined;
}

function entriesOfClass(codes: StatusCodes, digit: number): (string | number)[] {
  const entries: (string | number)[] = [];
  const end = digit * 100 + 99;
  for (let first = digit * 100; first <= end; first++) {
    if (!codes.has(first)) continue;
    let last = first;
    while (last < end && codes.has(last + 1)) last++;
    entries.push(entry(first, last));
    first = last;
  }
  return entries;
}

function entry(first: number, last: number): string | number {
  if (last - first === 99) return `${first / 100}xx`;
  return first === last ? first : `${first}-${last}`;
}
