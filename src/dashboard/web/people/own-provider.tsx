import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { providerName } from "../../../domain/people/provider-name.ts";
import { type Provider, useProviderOutcome } from "../accounts/provider.tsx";
import { api, getData, type Identity } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Card } from "../ui/card.tsx";
import { ConfirmButton, quote } from "../ui/dialog.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { SignInAgain, useFreshSignIn } from "./fresh-sign-in.tsx";

/** The identities of the reader at providers, which can be unlinked also if the server has no provider any more. */
export function OwnIdentities({ provider }: { provider: Provider | null }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.identities,
    queryFn: () => getData(api.me.identities.get()),
  });
  const outcome = useProviderOutcome();
  if (!provider && !data?.length) return null;
  const title = provider ? `Sign-in with ${provider.name}` : "Linked identities";
  return (
    <Card id="provider" title={title}>
      {provider && outcome && outcome !== "linked" && (
        <p className="failure" role="alert">
          {outcome === "away"
            ? `${provider.name} can't be used now. Try it again later.`
            : `${provider.name} was not linked: it did not sign you in, or somebody else has linked it. The log of the server has the reason.`}
        </p>
      )}
      {provider && data && <p role="status">{describeLink(provider, data)}</p>}
      {(error || Boolean(data?.length)) && (
        <List
          items={data}
          error={error}
          label="Linked identities"
          row={(identity) => <IdentityRow key={identity.id} identity={identity} />}
        />
      )}
      {provider && data && !isLinked(provider, data) && <LinkProvider provider={provider} />}
    </Card>
  );
}

/** The server may have had another provider before. */
function isLinked({ name }: Provider, identities: readonly Identity[]): boolean {
  return identities.some(({ issuer }) => providerName(issuer) === name);
}

function describeLink(provider: Provider, identities: readonly Identity[]): string {
  const { name } = provider;
  return isLinked(provider, identities)
    ? `${name} is linked. You can sign in with it.`
    : `Link ${name}, to sign in with it.`;
}

function LinkProvider({ provider: { name, url } }: { provider: Provider }) {
  const isFresh = useFreshSignIn();
  const [, lookAgain] = useState(0);
  const { origin } = new URL(url);
  // The session is only at the address of the page, and the provider returns to the base URL.
  if (origin !== location.origin)
    return (
      <p className="text-hint">
        To link it, sign in at <a href={origin}>{origin}</a>: the provider returns to there.
      </p>
    );
  if (isFresh && !isFresh()) return <SignInAgain to={`To link ${name}`} />;
  return (
    <div className="actions">
      <a
        className="button"
        href={`${url}?link=1`}
        onClick={(event) => {
          if (!isFresh || isFresh()) return;
          event.preventDefault();
          lookAgain(Date.now());
        }}
      >
        {`Link ${name}`}
      </a>
    </div>
  );
}

function IdentityRow({ identity: { id, issuer, createdAt, lastUsedAt } }: { identity: Identity }) {
  const change = useChange(queryKeys.me);
  const name = providerName(issuer);
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-note">
          linked <Time at={createdAt} only="date" />
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
        label="Unlink"
        className="button-danger-quiet"
        name={`Unlink ${name}`}
        title={quote("Unlink", name, "?")}
        onConfirm={() => change(api.me.identities({ id }).delete())}
      >
        You can&apos;t sign in with it any more then.
      </ConfirmButton>
    </ListRow>
  );
}
