/* The memory of this browser for the first steps (behavior 16.340). */

const OVER = "firstSteps";
const TESTED = "testedChannel";

/** Whether all steps were done, or the reader has hidden them, at this address. A browser that blocks the storage of sites could not hide them. */
export function areStepsOver(): boolean {
  try {
    return localStorage.getItem(OVER) === location.origin;
  } catch {
    return true;
  }
}

export function endSteps(): void {
  remember(OVER, location.origin);
}

/** Whether a test of a channel was delivered. */
export function isChannelTested(): boolean {
  try {
    return localStorage.getItem(TESTED) !== null;
  } catch {
    return false;
  }
}

export function noteTestedChannel(): void {
  remember(TESTED, "yes");
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {}
}
