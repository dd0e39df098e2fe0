import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useHasRole, useSession } from "../app/session.tsx";
import { type ApiKey, api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Badge } from "../ui/badge.tsx";
import { Confirm } from "../ui/dialog/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { Time, TimeSince } from "../ui/time/time.tsx";
import { View } from "../ui/view/view.tsx";
import { NewApiKey } from "./new-api-key.tsx";

export function ApiKeys() {
  const { data, error } = useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: () => getData(api["api-keys"].get()),
  });
  const [creating, setCreating] = useState(false);
  const mayManage = useHasRole("owner");
  const create = mayManage && (
    <button type="button" className="button-primary" onClick={() => setCreating(true)}>
      New key
    </button>
  );
  return (
    <View title="API keys" aside={create}>
      <p className="text-lead">
        Each key gives access to this page and the <a href="/docs">API</a>, with the rights of its role.
      </p>
      <Failure error={error} />
      <ul className="list">
        {data?.map((key) => (
          <ApiKeyRow key={key.id} apiKey={key} />
        ))}
      </ul>
      {creating && <NewApiKey onClose={() => setCreating(false)} />}
    </View>
  );
}

function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, keyPrefix, role } = apiKey;
  const mayManage = useHasRole("owner");
  const isOwn = useSession()?.keyId === id;
  return (
    <li className="list-row">
      <div className="list-row-name">
        <span className="list-row-title">{name}</span>
        <span className="list-row-detail">
          <Badge>{role}</Badge> <code>{keyPrefix}…</code>
        </span>
      </div>
      <p className="text-muted">
        <KeyUse apiKey={apiKey} />
        {isOwn && ", yours"}
      </p>
      {mayManage && <DeleteKey apiKey={apiKey} isOwn={isOwn} />}
    </li>
  );
}

function KeyUse({ apiKey: { expiresAt, lastUsedAt } }: { apiKey: ApiKey }) {
  return (
    <>
      {lastUsedAt ? (
        <>
          used <TimeSince at={lastUsedAt} short /> ago
        </>
      ) : (
        "never used"
      )}
      {expiresAt && (
        <>
          , expires <Time at={expiresAt} />
        </>
      )}
    </>
  );
}

/** @property isOwn whether the reader signed in with this key */
function DeleteKey({ apiKey: { id, name }, isOwn }: { apiKey: ApiKey; isOwn: boolean }) {
  const [confirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const remove = async () => {
    await getData(api["api-keys"]({ id }).delete());
    await queries.invalidateQueries({ queryKey: isOwn ? queryKeys.session : queryKeys.apiKeys });
  };
  return (
    <>
      <button
        type="button"
        className="button-danger-quiet"
        aria-label={`Delete the key ${name}`}
        onClick={() => setConfirming(true)}
      >
        Delete
      </button>
      {confirming && (
        <Confirm
          title={
            <>
              Delete the key “<bdi>{name}</bdi>”?
            </>
          }
          action="Delete"
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>
            Clients that use this key are rejected immediately, and its sessions end.
            {isOwn && <b> You are signed in with this key.</b>} You cannot undo this.
          </p>
        </Confirm>
      )}
    </>
  );
}
