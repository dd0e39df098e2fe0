import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { AlertOutcome } from "../../domain/delivery.ts";
import { ask, type Channel, call, type Delivery, type Page } from "./api.ts";
import { ChannelForm } from "./channel-form.tsx";
import { notifyWords } from "./channels.tsx";
import { Fact } from "./facts.tsx";
import { Badge, Confirm, Failure, TableBox, View } from "./parts.tsx";
import { useMay } from "./session.tsx";
import { Moment } from "./time.tsx";
import { channelTypeWords, countWords, wordsOf } from "./words.ts";

/** One channel, and what it was sent. */
export function ChannelView({ id }: { id: string }) {
  const [editing, setEditing] = useState(false);
  const mayWrite = useMay("admin");
  const { data, error } = useQuery({
    queryKey: ["channels", id],
    queryFn: () => ask<Channel>("GET", `/alerts/${id}`),
  });
  if (!data) {
    return (
      <View title="Channel">
        <Failure error={error} />
      </View>
    );
  }
  if (editing) return <ChannelForm channel={data} onDone={() => setEditing(false)} />;
  return (
    <View title={data.name} aside={mayWrite && <Acts channel={data} onEdit={() => setEditing(true)} />}>
      <div className="standing">
        <p>
          <Badge>{channelTypeWords[data.type]}</Badge> {data.enabled ? "" : "Disabled"}
        </p>
        <dl className="facts">
          {Object.entries(data.config).map(([field, value]) => (
            <Fact key={field} name={field}>
              <span className="wrap">{field === "secret" ? "••••••••" : String(value)}</span>
            </Fact>
          ))}
          <Fact name="Told of">{notifyWords(data.notifyOn)}</Fact>
          <Fact name="Bound to">{countWords(data.bindings.length, "monitor")}</Fact>
        </dl>
      </div>
      {mayWrite && <Trial id={id} />}
      <Deliveries id={id} />
    </View>
  );
}

function Acts({
  channel: { id, name, enabled, bindings },
  onEdit,
}: {
  channel: Channel;
  onEdit: () => void;
}) {
  const [deleting, setDeleting] = useState(false);
  const [error, setError] = useState<unknown>();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const toggle = async () => {
    try {
      await ask("PATCH", `/alerts/${id}`, { enabled: !enabled });
      await queries.invalidateQueries({ queryKey: ["channels"] });
    } catch (caught) {
      setError(caught);
    }
  };
  const remove = async () => {
    await ask("DELETE", `/alerts/${id}`);
    queries.removeQueries({ queryKey: ["channels", id] });
    await queries.invalidateQueries({ queryKey: ["channels"] });
    go("/channels");
  };
  return (
    <>
      <Failure error={error} />
      <button type="button" onClick={toggle}>
        {enabled ? "Disable" : "Enable"}
      </button>
      <button type="button" onClick={onEdit}>
        Edit
      </button>
      <button type="button" className="danger-quiet" onClick={() => setDeleting(true)}>
        Delete
      </button>
      {deleting && (
        <Confirm title={`Delete “${name}”?`} act="Delete" onAct={remove} onClose={() => setDeleting(false)}>
          <p>
            It is unbound from {countWords(bindings.length, "monitor")}, and what still waits for it is not
            sent. This can’t be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** Sends one sample, and says what became of it. */
function Trial({ id }: { id: string }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<AlertOutcome | null>(null);
  const [error, setError] = useState<unknown>();
  const send = async () => {
    setBusy(true);
    setOutcome(null);
    setError(undefined);
    try {
      setOutcome(await ask<AlertOutcome>("POST", `/alerts/${id}/test`));
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  };
  return (
    <div className="probe">
      <button type="button" disabled={busy} onClick={send}>
        {busy ? "Sending…" : "Send a test"}
      </button>
      <div role="status">
        {outcome && (
          <p className={`outcome ${outcome.status}`}>
            {outcome.status === "delivered"
              ? "It arrived."
              : `It failed: ${outcome.channels[0]?.error ?? "unknown"}`}
          </p>
        )}
      </div>
      <Failure error={error} />
    </div>
  );
}

/** While something waits to be delivered. */
const UNDER_WAY_PACE = 2000;

function isUnderWay({ data }: Page<Delivery>): boolean {
  return data.some(({ status }) => status === "pending");
}

const deliveryWords = { pending: "Waiting", delivered: "Delivered", failed: "Failed" };

function Deliveries({ id }: { id: string }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["deliveries", id],
    queryFn: ({ pageParam }) => call<Page<Delivery>>("GET", `/alerts/${id}/deliveries?limit=25${pageParam}`),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => (cursor === null ? undefined : `&cursor=${cursor}`),
    refetchInterval: ({ state }) => (state.data?.pages.some(isUnderWay) ? UNDER_WAY_PACE : false),
  });
  const deliveries = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section className="card" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <Failure error={error} />
      {data && deliveries.length === 0 && <p className="muted">None yet.</p>}
      {deliveries.length > 0 && (
        <TableBox of="deliveries">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Monitor</th>
                <th scope="col">Change</th>
                <th scope="col">Outcome</th>
                <th scope="col" className="number">
                  Attempts
                </th>
                <th scope="col">Answer</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((one) => (
                <tr key={one.id}>
                  <td>
                    <Moment at={one.createdAt} />
                  </td>
                  <td className="long">
                    <Link href={`/monitors/${one.monitor.id}`}>{one.monitor.name}</Link>
                  </td>
                  <td>
                    {wordsOf(one.previousStatus)} → {wordsOf(one.newStatus)}
                  </td>
                  <td className={`outcome ${one.status}`}>{deliveryWords[one.status]}</td>
                  <td className="number">{one.attempts}</td>
                  <td className="long">
                    {one.error ?? one.answer}
                    {one.nextAttemptAt && (
                      <>
                        {" "}
                        again at <Moment at={one.nextAttemptAt} />
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older deliveries
        </button>
      )}
    </section>
  );
}
