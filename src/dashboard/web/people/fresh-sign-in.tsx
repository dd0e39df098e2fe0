import { useQuery } from "@tanstack/react-query";
import { useSignOut } from "../app/session.tsx";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { texts } from "../languages/texts.ts";

export const ownSessionsQuery = {
  queryKey: queryKeys.ownSessions,
  queryFn: () => getData(api.me.sessions.get()),
};

/** Milliseconds. Shorter than the five minutes of the server (behavior 19.32), because it takes a moment to add a way to sign in. */
const FRESH = 4.5 * 60_000;

/** A function that says whether the session of the reader began a moment ago; undefined until it is known. */
export function useFreshSignIn(): (() => boolean) | undefined {
  const { data, dataUpdatedAt } = useQuery(ownSessionsQuery);
  const own = data?.find(({ current }) => current);
  if (!own) return undefined;
  // The last use is this answer, by the clock of the server.
  const age = Date.parse(own.lastSeenAt) - Date.parse(own.createdAt);
  return () => age + Date.now() - dataUpdatedAt < FRESH;
}

/** @property text says what needs it @property label the accessible name of the button */
export function SignInAgain({ text, label }: { text: string; label: string }) {
  const signOut = useSignOut();
  return (
    <>
      <p className="text-hint">{text}</p>
      <div className="actions">
        <button type="button" onClick={signOut} aria-label={label}>
          {texts.people.signInAgain.button}
        </button>
      </div>
    </>
  );
}
