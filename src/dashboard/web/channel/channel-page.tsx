import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useMay } from "../app/session.tsx";
import { type AlertOutcome, api, ask, type Channel, call, type Delivery } from "../data/api.ts";
import { wordsOf } from "../status/status-names.ts";
import { Badge } from "../ui/badge.tsx";
import { Fact } from "../ui/fact.tsx";
import { Failure } from "../ui/failure.tsx";
import { Acts } from "../ui/item-actions.tsx";
import { countWords } from "../ui/numbers.ts";
import { PagedTable, usePages } from "../ui/paged-table.tsx";
import { Moment } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { ChannelForm, fields } from "./channel-form.tsx";
import { notifyWords } from "./channel-list.tsx";
import { channelTypeWords } from "./channel-type.ts";

/** One channel, and what it was sent. */
export function ChannelView({ id }: { id: string }) {
  const [editing, setEditing] = useState(false);
  const mayWrite = useMay("admin");
  const { data, error } = useQuery({
    queryKey: ["channels", id],
    queryFn: () => ask(api.alerts({ id }).get()),
  });
  if (!data) {
    return (
      <View title="Channel">
        <Failure error={error} />
        {error && <Link href="/channels">Back to the channels</Link>}
      </View>
    );
  }
  if (editing) return <ChannelForm channel={data} onDone={() => setEditing(false)} />;
  return (
    <View
      title={data.name}
      aside={mayWrite && <ChannelActs channel={data} onEdit={() => setEditing(true)} />}
    >
      <div className="standing">
        <p>
          <Badge>{channelTypeWords[data.type]}</Badge> {data.enabled ? "" : "Disabled"}
        </p>
        <dl className="facts">
          {Object.entries(data.config).map(([field, value]) => (
            <Fact key={field} name={fields[data.type].find(({ name }) => name === field)?.label ?? field}>
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

function ChannelActs({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
  const { id, name, enabled, bindings } = channel;
  const queries = useQueryClient();
  const [, go] = useLocation();
  const toggle = async () => {
    await ask(api.alerts({ id }).patch({ enabled: !enabled }));
    await queries.invalidateQueries({ queryKey: ["channels"] });
  };
  const remove = async () => {
    await ask(api.alerts({ id }).delete());
    queries.removeQueries({ queryKey: ["channels", id] });
    await queries.invalidateQueries({ queryKey: ["channels"] });
    go("/channels");
  };
  const edit = (
    <button type="button" onClick={onEdit}>
      Edit
    </button>
  );
  return (
    <Acts name={name} toggle={enabled ? "Disable" : "Enable"} onToggle={toggle} edit={edit} onDelete={remove}>
      It is unbound from {countWords(bindings.length, "monitor")}, and what still waits for it is not sent.
      This can’t be undone.
    </Acts>
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
      setOutcome(await ask(api.alerts({ id }).test.post()));
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

const deliveryWords = { pending: "Waiting", delivered: "Delivered", failed: "Failed" };

function Deliveries({ id }: { id: string }) {
  const pages = usePages<Delivery>({
    queryKey: ["deliveries", id],
    load: (query) => call(api.alerts({ id }).deliveries.get({ query: { limit: "25", ...query } })),
    isUnderWay: ({ status }) => status === "pending",
  });
  return (
    <section className="card" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <PagedTable
        of="deliveries"
        pages={pages}
        columns={["Time", "Outcome", "Monitor", "Change", { number: "Attempts" }, "Answer"]}
        row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />}
        none="None yet."
      />
    </section>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { createdAt, monitor, previousStatus, newStatus, status, attempts, error, answer, nextAttemptAt } =
    delivery;
  return (
    <tr>
      <td>
        <Moment at={createdAt} />
      </td>
      <td className={`outcome ${status}`}>{deliveryWords[status]}</td>
      <td className="long">
        <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>
      </td>
      <td>
        {wordsOf(previousStatus)} → {wordsOf(newStatus)}
      </td>
      <td className="number">{attempts}</td>
      <td className="long told">
        {error ?? answer}
        {nextAttemptAt && attempts === 0 && "waits for those before it"}
        {nextAttemptAt && attempts > 0 && (
          <>
            , again at <Moment at={nextAttemptAt} />
          </>
        )}
      </td>
    </tr>
  );
}
