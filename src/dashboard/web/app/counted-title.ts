/** The server counts no more. */
const MOST = 999;

/** A title with a count before it, such as `(2) Overview · stillup`. @param title with or without an earlier count */
export function countedTitle(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  if (count === 0) return plain;
  return `(${count > MOST ? `${MOST}+` : count}) ${plain}`;
}
