import { type FormEvent, useEffect, useRef } from "react";
import type { AssertionJson } from "../../../domain/people/webauthn/credential.ts";
import { api, getData } from "../data/api.ts";
import { optionsOf } from "../ui/filters.tsx";
import { getPasskey, offeredPasskey } from "./passkey.ts";
import { describeRefusal, organizationsIn } from "./sign-in-refusal.ts";
import { useSignIn } from "./use-sign-in.ts";

const loadOptions = () => getData(api.session["passkey-options"].post());

/**
 * Signs in with a passkey: by its button, or in the field of the e-mail address, where the browser offers passkeys too. Somebody who
 * is in several organizations then chooses one.
 */
export function PasskeyForm() {
  const { error, busy, signIn } = useSignIn();
  const organizations = organizationsIn(error);
  /** The server takes it again with the organization. */
  const answered = useRef<AssertionJson>(undefined);
  const offer = useRef<AbortController>(undefined);
  const post = async (passkey: AssertionJson, organizationId?: string) => {
    answered.current = passkey;
    return api.session.post({ passkey, ...(organizationId !== undefined && { organizationId }) });
  };
  useEffect(() => {
    const controller = new AbortController();
    offer.current = controller;
    // The button remains if the browser or the server offers nothing.
    offeredPasskey(loadOptions, controller.signal).then(
      (passkey) => signIn(post(passkey)),
      () => {},
    );
    return () => controller.abort();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get("passkeyOrganization");
    if (chosen !== null && answered.current) return void signIn(post(answered.current, String(chosen)));
    // A browser asks for one passkey at a time.
    offer.current?.abort();
    void signIn(loadOptions().then(getPasskey).then(post));
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
