import { type Provider, useProviderOutcome } from "../accounts/provider.tsx";
import type { Me } from "../data/api.ts";
import { Card } from "../ui/card.tsx";

/** Links the reader to the provider, for a sign-in by it. */
export function OwnProvider({ provider: { name, url }, me: { methods } }: { provider: Provider; me: Me }) {
  const outcome = useProviderOutcome();
  const isLinked = methods.some((method) => method === "oidc");
  const { origin } = new URL(url);
  return (
    <Card id="provider" title={`Sign-in with ${name}`}>
      {outcome && outcome !== "linked" && (
        <p className="failure" role="alert">
          {outcome === "away"
            ? `${name} can't be used now. Try it again later.`
            : `${name} was not linked: it did not sign you in, or somebody else has linked it. The log of the server has the reason.`}
        </p>
      )}
      <p role="status">
        {isLinked ? `${name} is linked. You can sign in with it.` : `Link ${name}, to sign in with it.`}
      </p>
      {!isLinked && (
        // The session is only at the address of the page, and the provider returns to the base URL.
        <div className="actions">
          {origin === location.origin ? (
            <a className="button" href={`${url}?link=1`}>
              {`Link ${name}`}
            </a>
          ) : (
            <p className="text-hint">
              To link it, sign in at <a href={origin}>{origin}</a>: the provider returns to there.
            </p>
          )}
        </div>
      )}
    </Card>
  );
}
