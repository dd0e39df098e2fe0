/** A version in the form of Semantic Versioning 2.0.0, of at most 100 characters. */
const FORM =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;

export interface Version {
  /** As it was written, without the `v` of a tag. */
  text: string;
  /** Major, minor and patch. */
  numbers: string[];
  /** The identifiers of a pre-release; empty for a release. */
  preRelease: string[];
}

/** @param text a version, or the tag of one, such as `v1.2.3` @returns undefined for any other text */
export function parseVersion(text: string): Version | undefined {
  if (text.length > 101) return undefined;
  const version = text.replace(/^v/, "");
  const [found, major, minor, patch, preRelease] = FORM.exec(version) ?? [];
  if (found === undefined) return undefined;
  return {
    text: version,
    numbers: [major ?? "", minor ?? "", patch ?? ""],
    preRelease: preRelease?.split(".") ?? [],
  };
}

/**
 * Whether a version is newer than the one that somebody runs. A pre-release counts only if that one is a pre-release too.
 *
 * @see https://semver.org/spec/v2.0.0.html#spec-item-11
 */
export function isNewerVersion(one: Version, than: Version): boolean {
  if (one.preRelease.length > 0 && than.preRelease.length === 0) return false;
  return orderOf(one, than) > 0;
}

/** Negative if a version precedes another, 0 if they are equal. What follows a `+` does not count. */
function orderOf(one: Version, other: Version): number {
  const numbers = compareLists(one.numbers, other.numbers);
  if (numbers !== 0) return numbers;
  // A release follows its pre-releases.
  if (one.preRelease.length === 0 || other.preRelease.length === 0)
    return other.preRelease.length - one.preRelease.length;
  return compareLists(one.preRelease, other.preRelease);
}

function compareLists(some: string[], others: string[]): number {
  for (const [at, one] of some.entries()) {
    const other = others[at];
    if (other === undefined) return 1;
    const order = compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return some.length - others.length;
}

/** Numbers of any length by their value, before words; words by their characters. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [one, other].map((text) => /^\d+$/.test(text));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : Number(one > other);
}
