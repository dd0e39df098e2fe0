/** A set of numbers in small parts. A single large set is copied at once when it grows, which takes 15 ms for 50,000. */
export class NumberSet {
  readonly #parts = new Map<number, Set<number>>();
  size = 0;

  has(number: number): boolean {
    return this.#parts.get(Math.floor(number / PART))?.has(number) ?? false;
  }

  /** @returns whether it was not in the set */
  add(number: number): boolean {
    const key = Math.floor(number / PART);
    const part = this.#parts.get(key) ?? new Set();
    if (part.has(number)) return false;
    this.#parts.set(key, part.add(number));
    this.size++;
    return true;
  }
}

const PART = 1024;
