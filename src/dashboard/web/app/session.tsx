import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type FormEvent, type ReactNode, useContext, useState } from "react";
import { permits, type Role } from "../../../domain/accounts/role.ts";
import { api, ask, Refusal, type Session } from "../data/api.ts";
import { Failure } from "../ui/failure.tsx";
import { Logo } from "../ui/logo.tsx";
import { useTitle } from "../ui/view.tsx";

const Current = createContext<Session | null>(null);

/** Whether the reader may do what a role may: what would be refused is not offered. */
export function useMay(role: Role): boolean {
  const session = useContext(Current);
  return session !== null && permits(session.role, role);
}

export function useSession(): Session | null {
  return useContext(Current);
}

/** Who reads: null for one who is not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: findSession,
  staleTime: 60_000,
});

/** Shows what is behind it to those who are signed in, and to the others the way in. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(sessionQuery);
  if (data === undefined) {
    return error ? (
      <div className="gate">
        <Failure error={error} />
        <button type="button" onClick={() => refetch()}>
          Try again
        </button>
      </div>
    ) : null;
  }
  return data ? <Current value={data}>{children}</Current> : <SignIn />;
}

async function findSession(): Promise<Session | null> {
  try {
    return await ask(api.session.get());
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}

/** The key goes from the field to the server, and nowhere else. */
function SignIn() {
  useTitle("Sign in");
  const queries = useQueryClient();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "");
    setBusy(true);
    try {
      queries.setQueryData(["session"], await ask(api.session.post({ key })));
    } catch (caught) {
      setError(refusal(caught));
      setBusy(false);
    }
  };
  return (
    <main className="gate">
      <form onSubmit={submit} noValidate>
        <Logo size={44} />
        <h1>Sign in to stillup</h1>
        <div className="field">
          <label htmlFor="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            aria-describedby="key-hint"
            aria-invalid={error !== undefined}
          />
          {error && (
            <p className="error" role="alert">
              {error}
            </p>
          )}
        </div>
        <button type="submit" className="primary wide" disabled={busy}>
          Sign in
        </button>
        <p className="hint" id="key-hint">
          The first start left one in <code>data/initial-owner-key</code>. It is exchanged for a session of 12
          hours and not kept in the browser.
        </p>
      </form>
    </main>
  );
}

function refusal(error: unknown): string {
  if (!(error instanceof Refusal)) return "The server could not be reached.";
  return error.status === 401 ? "This key opens nothing: it is unknown, expired or deleted." : error.message;
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await ask(api.session.delete()).catch(() => {});
    queries.setQueryData(["session"], null);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  };
}
