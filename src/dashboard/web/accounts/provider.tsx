import { queryOptions } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, getData, type SignInHelp } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

/** The provider by which people sign in, if the server has one. */
export type Provider = NonNullable<SignInHelp["provider"]>;

/** In which ways people sign in here. */
export const signInHelpQuery = queryOptions({
  queryKey: queryKeys.signInHelp,
  queryFn: () => getData(api.session.help.get({ query: { page: location.origin } })),
  // After a sign-out, the file of the first key may be gone.
  gcTime: 0,
});

interface Props {
  provider: Provider;
  /** The words before the name of the provider. */
  label: string;
  /** Whether it is the main action. */
  isPrimary: boolean;
  onClick?: () => void;
}

/** Leads to the provider, for a sign-in. */
export function ProviderLink({ provider: { name, url }, label, isPrimary, onClick }: Props) {
  return (
    <div className="sign-in-text">
      <a className={`button button-wide ${isPrimary ? "button-primary" : ""}`} href={url} onClick={onClick}>
        {label} {name}
      </a>
    </div>
  );
}

/** Result of a sign-in at the provider that created no session. It is read from the URL, then removed from it (behavior 19.96). */
export function useProviderOutcome(): string | null {
  const [outcome] = useState(() => new URLSearchParams(location.search).get("sign-in"));
  useEffect(() => {
    if (outcome !== null) history.replaceState(null, "", location.pathname);
  }, [outcome]);
  return outcome;
}
