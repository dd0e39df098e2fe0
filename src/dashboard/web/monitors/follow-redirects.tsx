import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Config } from "../data/api.ts";
import { isUnfollowedRedirect } from "../status/unfollowed-redirect.ts";

/** A way out for a monitor that is Down because it follows no redirects. @property detail of the result */
export function FollowRedirects({ id, detail }: { id: string; detail: Config | null | undefined }) {
  const mayWrite = useHasRole("admin");
  if (!mayWrite || !isUnfollowedRedirect(detail)) return null;
  return (
    <p>
      The server redirects to another address.{" "}
      <Link href={`/monitors/${id}/edit?field=config.redirects`}>Follow redirects</Link>
    </p>
  );
}
