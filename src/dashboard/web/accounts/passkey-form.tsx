import { type FormEvent, useRef } from "react";
import type { AssertionJson } from "../../../domain/people/webauthn/credential.ts";
import { api, getData } from "../data/api.ts";
import { optionsOf } from "../ui/filters.tsx";
import { getPasskey } from "./passkey.ts";
import { describeRefusal, organizationsIn } from "./sign-in-refusal.ts";
import { useSignIn } from "./use-sign-in.ts";

/** Signs in with a passkey. Somebody who is in several organizations then chooses one. */
export function PasskeyForm() {
  const { error, busy, signIn } = useSignIn();
  const organizations = organizationsIn(error);
  /** The server takes it again with the organization. */
  const answered = useRef<AssertionJson>(undefined);
  const post = async (organizationId: string | undefined) => {
    if (organizationId === undefined)
      answered.current = await getPasskey(await getData(api.session["passkey-options"].post()));
    const passkey = answered.current;
    if (!passkey) throw new Error("there is no passkey");
    return api.session.post({ passkey, ...(organizationId !== undefined && { organizationId }) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get("passkeyOrganization");
    void signIn(post(chosen === null ? undefined : String(chosen)));
  };
  return (
    <form onSubmit={submit} noValidate>
      {error !== undefined && !organizations && (
        <p className="field-error" role="alert">
          {describeRefusal(error, location.origin, "passkey")}
        </p>
      )}
      {organizations && (
        <div className="field">
          <label htmlFor="passkey-organization">Organization</label>
          <select id="passkey-organization" name="passkeyOrganization">
            {optionsOf(organizations.map(({ id, name }) => ({ value: id, label: name })))}
          </select>
        </div>
      )}
      <button type="submit" className="button-wide" disabled={busy}>
        {organizations ? "Continue" : "Sign in with a passkey"}
      </button>
    </form>
  );
}
