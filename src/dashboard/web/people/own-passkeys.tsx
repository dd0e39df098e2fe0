import { useQuery } from "@tanstack/react-query";
import { createPasskey, passkeyFault } from "../accounts/passkey.ts";
import { ApiError, api, getData, type Passkey } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Card } from "../ui/card.tsx";
import { ConfirmButton, quote } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/failure.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { describeBrowser } from "./describe-browser.ts";
import { SignInAgain, useFreshSignIn } from "./fresh-sign-in.tsx";

/** The passkeys of the reader, or why there can't be any. */
export function OwnPasskeys() {
  const fault = passkeyFault();
  const { data, error } = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: () => getData(api.me.passkeys.get()),
    enabled: fault === undefined,
  });
  const change = useChange(queryKeys.me);
  const action = useAction();
  const isFresh = useFreshSignIn();
  const add = async () => {
    const credential = await createPasskey(await getData(api.me.passkeys.options.post()));
    await change(api.me.passkeys.post({ credential, name: describeBrowser(navigator.userAgent) }));
  };
  const reason =
    error instanceof ApiError && error.status === 404
      ? "The server needs an https URL with a host name as its base URL."
      : fault;
  const lead = <p>Sign in with the fingerprint, face or PIN of a device, without a password.</p>;
  if (reason)
    return (
      <Card id="passkeys" title="Passkeys">
        {lead}
        <p className="text-hint">{reason}</p>
      </Card>
    );
  return (
    <Card id="passkeys" title="Passkeys">
      {lead}
      <List
        items={data}
        error={error}
        label="Passkeys"
        row={(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />}
      />
      <Failure error={action.error} />
      {isFresh && !isFresh() ? (
        <SignInAgain to="To add a passkey" />
      ) : (
        <div className="actions">
          <button type="button" aria-disabled={action.busy} onClick={() => action.run(add)}>
            Add a passkey
          </button>
        </div>
      )}
    </Card>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const change = useChange(queryKeys.me);
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-note">
          added <Time at={createdAt} only="date" />
        </span>
      }
    >
      <p className="text-muted">
        {lastUsedAt ? (
          <>
            used <TimeSince at={lastUsedAt} short /> ago
          </>
        ) : (
          "not used yet"
        )}
      </p>
      <ConfirmButton
        label="Remove"
        className="button-danger-quiet"
        name={`Remove the passkey ${name}`}
        title={quote("Remove the passkey", name, "?")}
        onConfirm={() => change(api.me.passkeys({ id }).delete())}
      >
        You can&apos;t sign in with it any more then. Delete it on the device too.
      </ConfirmButton>
    </ListRow>
  );
}
