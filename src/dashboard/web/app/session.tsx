import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { permits, type Role } from "../../../domain/accounts/role.ts";
import { api, getData, type Session } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { texts } from "../languages/texts.ts";
import { Failure } from "../ui/filters.tsx";
import { LazyView, Loading, SignIn } from "./lazy-views.tsx";

const Current = createContext<Session | null>(null);

/** Whether the reader has the rights of a role. The page offers nothing that the server would refuse. */
export function useHasRole(role: Role): boolean {
  const session = useContext(Current);
  return session !== null && permits(session.role, role);
}

export function useSession(): Session | null {
  return useContext(Current);
}

/** The session of the reader; null if the reader is not signed in. */
export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  queryFn: () => getData(api.session.current.get()),
  staleTime: 60_000,
});

/** Shows its children to a reader who is signed in, and the sign-in form to others. @property isStarting whether that is not known yet */
export function SessionGate({ isStarting, children }: { isStarting: boolean; children: ReactNode }) {
  const { data, error, refetch } = useQuery(sessionQuery);
  if (isStarting || data) return <Current value={data ?? null}>{children}</Current>;
  if (data === null)
    return (
      <LazyView>
        <SignIn />
      </LazyView>
    );
  if (!error) return <Loading />;
  return (
    <main className="sign-in">
      <Failure error={error} />
      <button type="button" onClick={() => refetch()}>
        {texts.app.tryAgain}
      </button>
    </main>
  );
}

/** Deletes the drafts of all readers: see `form/drafts.ts`. */
export function forgetDrafts(): void {
  // A browser may block the storage of sites.
  try {
    localStorage.removeItem("drafts");
  } catch {}
}

/** Send the requests that need the session of the reader, before it ends. */
export const beforeSignOut: (() => unknown)[] = [];

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    forgetDrafts();
    await Promise.all(beforeSignOut.map((send) => send()));
    await getData(api.session.delete()).catch(() => {});
    queries.setQueryData(queryKeys.session, null);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] });
  };
}
