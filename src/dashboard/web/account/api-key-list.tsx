import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useHasRole, useSession } from "../app/session.tsx";
import { type ApiKey, api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Badge } from "../ui/badge.tsx";
import { DeleteButton } from "../ui/dialog/delete-button.tsx";
import { ListRow, ListView } from "../ui/list/list.tsx";
import { Time, TimeSince } from "../ui/time/time.tsx";
import { NewApiKey } from "./new-api-key.tsx";

export function ApiKeys() {
  const { data, error } = useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: () => getData(api["api-keys"].get()),
  });
  return (
    <ListView
      title="API keys"
      lead={
        <>
          Each key gives access to this page and the <a href="/docs">API</a>, with the rights of its role.
        </>
      }
      items={data}
      error={error}
      row={(key) => <ApiKeyRow key={key.id} apiKey={key} />}
      create={{ role: "owner", label: "New key", dialog: NewApiKey }}
    />
  );
}

function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, keyPrefix, role } = apiKey;
  const mayManage = useHasRole("owner");
  const isOwn = useSession()?.keyId === id;
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-detail">
          <Badge>{role}</Badge> <code>{keyPrefix}…</code>
        </span>
      }
    >
      <p className="text-muted">
        <KeyUse apiKey={apiKey} />
        {isOwn && ", yours"}
      </p>
      {mayManage && <DeleteKey apiKey={apiKey} isOwn={isOwn} />}
    </ListRow>
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
  const queries = useQueryClient();
  const remove = async () => {
    await getData(api["api-keys"]({ id }).delete());
    await queries.invalidateQueries({ queryKey: isOwn ? queryKeys.session : queryKeys.apiKeys });
  };
  return (
    <DeleteButton name={name} what="the key" label={`Delete the key ${name}`} onDelete={remove}>
      Clients that use this key are rejected immediately, and its sessions end.
      {isOwn && <b> You are signed in with this key.</b>} You cannot undo this.
    </DeleteButton>
  );
}
