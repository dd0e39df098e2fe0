import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Logo } from "../ui/logo.tsx";
import { useTitle } from "../ui/view.tsx";
import { ForgottenPassword, LinkOfServer } from "./forgotten-password.tsx";
import { KeyForm, KeyHelp } from "./key-form.tsx";
import { passkeyFault } from "./passkey.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProviderLink, signInHelpQuery, useProviderOutcome } from "./provider.tsx";

/** A key or password goes from its field to the server, and nowhere else. */
export function SignIn() {
  useTitle("Sign in");
  const { data: help, isPending } = useQuery(signInHelpQuery);
  const outcome = useProviderOutcome();
  const [chosen, choose] = useState<"key" | "person" | "forgotten">();
  const provider = help?.provider;
  const offersPassword = !help || help.methods.includes("password");
  const way = chosen ?? (offersPassword || provider ? "person" : "key");
  // All at once, so that nothing moves.
  if (isPending) return <main className="sign-in" aria-busy />;
  if (way === "forgotten")
    return (
      <main className="sign-in">
        <Logo size={44} />
        <h1>Get a new password</h1>
        <ForgottenPassword />
        <button type="button" className="button-quiet" onClick={() => choose("person")}>
          Back to the sign-in
        </button>
        <LinkOfServer summary="No e-mail?" />
      </main>
    );
  const isByKey = way === "key";
  return (
    <main className="sign-in">
      <Logo size={44} />
      <h1>Sign in to stillup</h1>
      {outcome && <Outcome outcome={outcome} provider={provider?.name ?? "your provider"} />}
      {isByKey ? <KeyForm /> : offersPassword && <PasswordForm />}
      {provider && (
        <ProviderLink
          provider={provider}
          label="Sign in with"
          isPrimary={!isByKey && !offersPassword}
          onClick={keepPlace}
        />
      )}
      {help?.methods.includes("passkey") && <Passkey />}
      {(offersPassword || !isByKey) && (
        <button type="button" className="button-quiet" onClick={() => choose(isByKey ? "person" : "key")}>
          {isByKey ? "Use e-mail and password instead" : "Use an API key instead"}
        </button>
      )}
      {!isByKey && offersPassword && (
        <Forgotten sendsLinks={Boolean(help?.sendsLinks)} onAsk={() => choose("forgotten")} />
      )}
      {isByKey && help && <KeyHelp help={help} />}
    </main>
  );
}

/** After a sign-in by the provider, the reader returns there: see `app/main.tsx`. */
function keepPlace(): void {
  const { pathname, search } = location;
  // After a failed sign-in, the previous place counts.
  if (pathname !== "/") sessionStorage.place = pathname + search;
}

function Passkey() {
  const fault = passkeyFault();
  return fault ? <p className="sign-in-text text-hint">{fault}</p> : <PasskeyForm />;
}

function Forgotten({ sendsLinks, onAsk }: { sendsLinks: boolean; onAsk: () => void }) {
  const text = "Forgot your password?";
  if (!sendsLinks) return <LinkOfServer summary={text} />;
  return (
    <button type="button" className="button-quiet" onClick={onAsk}>
      {text}
    </button>
  );
}

function Outcome({ outcome, provider }: { outcome: string; provider: string }) {
  return (
    <p className="failure sign-in-text" role="alert">
      {outcome === "away"
        ? `${provider} can't be used now. Try it again later, or sign in another way.`
        : `The sign-in with ${provider} failed. It is for people who are invited with the e-mail address that they have there, ` +
          "or who have linked it in their profile. The log of the server has the reason."}
    </p>
  );
}
