import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { isLoopback } from "../../../domain/network/local-request.ts";
import { api, getData, type MailTest, type Server } from "../data/api.ts";
import { serverQuery } from "../data/query-keys.ts";
import { textOf } from "../form/field-errors.ts";
import { Field } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { pageFault } from "../form/page-fault.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { formatBytes } from "../ui/bytes.ts";
import { Card, Fact } from "../ui/card.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";

/** The server itself. Readers see what their role may see. */
export function ServerView() {
  const { data: server, error } = useQuery(serverQuery);
  const { title, back } = texts.server;
  if (!server) return <View title={title} error={error} back={{ href: "/settings", to: "settings" }} />;
  const { database, owner } = server;
  return (
    <View title={title}>
      <Facts server={server} />
      <Mail server={server} />
      {database && <Database database={database} dataDir={owner?.dataDir} />}
      {owner && <Nodes nodes={owner.nodes} />}
      <p>
        <Link href="/settings">{back}</Link>
      </p>
    </View>
  );
}

function Facts({ server: { version, baseUrl, network } }: { server: Server }) {
  const { title, facts, otherOrigin } = texts.server;
  return (
    <Card id="server" title={title}>
      <dl className="facts">
        <Fact name={facts.version}>{version}</Fact>
        <Fact name={facts.baseUrl}>
          <code>{baseUrl}</code>
        </Fact>
        {network && <Fact name={facts.network}>{network}</Fact>}
      </dl>
      {isOtherOrigin(baseUrl, location.origin) && (
        <p>
          {rich(otherOrigin, { address: <code>{location.origin}</code>, option: <code>--base-url</code> })}
        </p>
      )}
    </Card>
  );
}

function Mail({ server: { mail, database } }: { server: Server }) {
  const { title, none, sender } = texts.server.mail;
  return (
    <Card id="mail" title={title}>
      {mail.from === null ? (
        <p>{rich(none, { url: <code>--smtp-url</code>, from: <code>--smtp-from</code> })}</p>
      ) : (
        <dl className="facts">
          <Fact name={sender}>{mail.from}</Fact>
        </dl>
      )}
      {mail.configured && database && <MailTestForm />}
    </Card>
  );
}

interface DatabaseProps {
  database: NonNullable<Server["database"]>;
  /** Undefined for readers who may not know it. */
  dataDir: string | null | undefined;
}

function Database({ database: { engine, bytes, freeBytes, lastBackupAt }, dataDir }: DatabaseProps) {
  const isEmbedded = engine === "sqlite";
  const words = texts.server.database;
  return (
    <Card id="database" title={words.title}>
      <dl className="facts">
        <Fact name={words.engine}>{isEmbedded ? "SQLite" : "PostgreSQL"}</Fact>
        <Fact name={words.size}>{formatBytes(bytes)}</Fact>
        {freeBytes !== null && <Fact name={words.free}>{formatBytes(freeBytes)}</Fact>}
        {dataDir && (
          <Fact name={words.directory}>
            <code>{dataDir}</code>
          </Fact>
        )}
        {isEmbedded && (
          <Fact name={words.lastBackup}>{lastBackupAt ? <Time at={lastBackupAt} /> : words.noBackup}</Fact>
        )}
      </dl>
      <p className="text-muted">
        {isEmbedded
          ? rich(words.backup, { command: <code>stillup backup FILE</code> })
          : rich(words.backupElsewhere, { command: <code>pg_dump</code> })}
      </p>
    </Card>
  );
}

function Nodes({ nodes }: { nodes: NonNullable<Server["owner"]>["nodes"] }) {
  const { title, table, columns, others } = texts.server.nodes;
  return (
    <Card id="nodes" title={title}>
      <ScrollableTable
        label={table}
        columns={[columns.name, columns.version, { number: columns.checksPerSecond }, columns.lastSeen]}
      >
        {nodes.map(({ name, version, checksPerSecond, lastSeenAt }) => (
          <tr key={`${name} ${lastSeenAt}`}>
            <td>{name}</td>
            <td>{version}</td>
            <td className="table-number">{checksPerSecond}</td>
            <td>
              <Time at={lastSeenAt} />
            </td>
          </tr>
        ))}
      </ScrollableTable>
      {nodes.length > 1 && <p className="text-muted">{others}</p>}
    </Card>
  );
}

/** Sends one e-mail to an address. */
function MailTestForm() {
  const [sent, setSent] = useState<{ to: string; test: MailTest }>();
  const send = async (data: FormData) => {
    const to = textOf(data, "to") ?? "";
    setSent(undefined);
    setSent({ to, test: await getData(api.server["mail-test"].post({ to })) });
  };
  const words = texts.server.mail.test;
  return (
    <Form
      className="form"
      check={(data) => (textOf(data, "to") ? [] : [pageFault("required", "to", {})])}
      onSubmit={send}
    >
      <Field name="to" label={words.to}>
        {(props) => <input {...props} type="email" autoComplete="email" maxLength={254} />}
      </Field>
      <FormFailure />
      <div className="actions">
        <SubmitButton>{words.submit}</SubmitButton>
      </div>
      <div role="status">{sent && <Outcome {...sent} />}</div>
    </Form>
  );
}

function Outcome({ to, test: { outcome, error, advice } }: { to: string; test: MailTest }) {
  const { accepted, failed } = texts.server.mail.test;
  if (outcome === "delivered") return <p>{fill(accepted, { address: to })}</p>;
  return (
    <>
      <p className="failure">{fill(failed, { error: error ?? "" })}</p>
      {advice && <p>{advice}</p>}
    </>
  );
}

/**
 * Whether check-in URLs and links in notifications lead elsewhere than the address bar of a browser. The names of the reader's own
 * machine are the same place, if the port is the same.
 */
export function isOtherOrigin(baseUrl: string, origin: string): boolean {
  const [base, page] = [URL.parse(baseUrl), URL.parse(origin)];
  if (!base || !page) return true;
  const isSameMachine = isLocal(base) && isLocal(page) && base.port === page.port;
  return base.origin !== page.origin && !isSameMachine;
}

function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ""));
}
