import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, getData, type Session } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

/** A function that signs in with a request, and the error of the last attempt until it is forgotten. */
export function useSignIn() {
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const signIn = async (request: Promise<Answer<{ readonly data: Session }>>) => {
    setBusy(true);
    try {
      queries.setQueryData(queryKeys.session, await getData(request));
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return { error, busy, signIn, forget: () => setError(undefined) };
}
