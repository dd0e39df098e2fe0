import type { Config } from "../data/api.ts";

/** The redirects that a check can follow (behavior 10.8). */
const FOLLOWED: readonly unknown[] = [301, 302, 303, 307, 308];

/** Whether a check failed at a redirect that it did not follow. @param detail of its result */
export function isUnfollowedRedirect(detail: Config | null | undefined): boolean {
  return detail?.reason === "unexpected" && FOLLOWED.includes(detail.statusCode);
}
