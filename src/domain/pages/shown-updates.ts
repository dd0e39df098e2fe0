/** The most updates of a page (behavior 15.102). */
export const MOST_SHOWN_UPDATES = 500;

/** Characters of all updates of a page: what they cost to render must not delay checks. */
const MOST_TEXT = 200_000;

/** The latest updates up to the limit of their text, and the last one of each incident. @param updates the newest first */
export function shownUpdates<Update extends { body: string; incidentPk: number }>(
  updates: readonly Update[],
): Update[] {
  let size = 0;
  const seen = new Set<number>();
  const shown: Update[] = [];
  for (const update of updates) {
    size += update.body.length;
    if (size <= MOST_TEXT || !seen.has(update.incidentPk)) shown.push(update);
    seen.add(update.incidentPk);
  }
  return shown;
}
