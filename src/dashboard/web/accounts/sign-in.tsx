import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Logo } from "../ui/logo.tsx";
import { useTitle } from "../ui/view.tsx";
import { KeyForm, KeyHelp } from "./key-form.tsx";
import { hasPasskeys } from "./passkey.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { ForgottenPassword, PasswordForm } from "./password-form.tsx";

/** A key or password goes from its field to the server, and nowhere else. */
export function SignIn() {
  useTitle("Sign in");
  const { data: help, isPending } = useQuery({
    queryKey: [...queryKeys.session, "help"],
    queryFn: () => getData(api.session.help.get({ query: { page: location.origin } })),
    // After a sign-out, the file may be gone.
    gcTime: 0,
  });
  const hasFailed = useFailedSignIn();
  const [chosen, choose] = useState<"key" | "password">();
  const offersPassword = !help || help.methods.includes("password");
  const way = chosen ?? (offersPassword ? "password" : "key");
  // Both at once, so that nothing moves.
  if (isPending) return <main className="sign-in" aria-busy />;
  return (
    <main className="sign-in">
      <Logo size={44} />
      <h1>Sign in to stillup</h1>
      {hasFailed && (
        <p className="failure" role="alert">
          The sign-in with your provider failed. Try it again, or sign in in another way.
        </p>
      )}
      {way === "key" ? <KeyForm /> : <PasswordForm />}
      {help?.methods.includes("passkey") && hasPasskeys() && <PasskeyForm />}
      {offersPassword && (
        <button
          type="button"
          className="button-quiet"
          onClick={() => choose(way === "key" ? "password" : "key")}
        >
          {way === "key" ? "Use e-mail and password instead" : "Use an API key instead"}
        </button>
      )}
      {way === "password" && <ForgottenPassword />}
      {way === "key" && help && <KeyHelp help={help} />}
    </main>
  );
}

/** Whether a provider has sent the reader back without success (`/?sign-in=failed`). The address then says so no more. */
function useFailedSignIn(): boolean {
  const [hasFailed] = useState(() => new URLSearchParams(location.search).get("sign-in") === "failed");
  useEffect(() => {
    if (hasFailed) history.replaceState(null, "", "/");
  }, [hasFailed]);
  return hasFailed;
}
