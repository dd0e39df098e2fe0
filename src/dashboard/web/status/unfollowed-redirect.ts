import type { Config } from "../data/api.ts";

/** The redirects that a check can follow (behavior 10.8). */
const FOLLOWED: readonly unknown[] = [301, 302, 303, 307, 308];

/** Whether a check failed at a redirect that it did not follow. @param detail of its result */
export function isUnfollowedRedirect(detail: Config | null | undefined): boolean {
  return detail?.reason === "unexpected" && FOLLOWED.includes(detail.statusCode);
}

/** The field that says how many redirects are followed. @param detail of a result: its last step is the one that failed */
export function redirectsField(detail: Config | null | undefined): string {
  const { steps } = detail ?? {};
  return Array.isArray(steps) ? `config.steps.${steps.length - 1}.redirects` : "config.redirects";
}
