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
import { formatBytes } from "../ui/bytes.ts";
import { Card, Fact } from "../ui/card.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";

/** The server itself. Readers see what their role may see. */
export function ServerView() {
  const { data: server, error } = useQuery(serverQuery);
  if (!server) return <View title="Server" error={error} back={{ href: "/settings", to: "settings" }} />;
  const { database, owner } = server;
  return (
    <View title="Server">
      <Facts server={server} />
      <Mail server={server} />
      {database && <Database database={database} dataDir={owner?.dataDir} />}
      {owner && <Nodes nodes={owner.nodes} />}
      <p>
        <Link href="/settings">Back to the settings</Link>
      </p>
    </View>
  );
}

function Facts({ server: { version, baseUrl, network } }: { server: Server }) {
  return (
    <Card id="server" title="Server">
      <dl className="facts">
        <Fact name="Version">{version}</Fact>
        <Fact name="Base URL">
          <code>{baseUrl}</code>
        </Fact>
        {network && <Fact name="Own network">{network}</Fact>}
      </dl>
      {isOtherOrigin(baseUrl, location.origin) && (
        <p>
          Your browser is at <code>{location.origin}</code>. Check-in URLs and links in notifications lead to
          the base URL, which <code>--base-url</code> sets.
        </p>
      )}
    </Card>
  );
}

function Mail({ server: { mail, database } }: { server: Server }) {
  return (
    <Card id="mail" title="E-mail">
      {mail.from === null ? (
        <p>
          This server cannot send e-mail. Start it with <code>--smtp-url</code> and <code>--smtp-from</code>.
        </p>
      ) : (
        <dl className="facts">
          <Fact name="Sender">{mail.from}</Fact>
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
  return (
    <Card id="database" title="Database">
      <dl className="facts">
        <Fact name="Engine">{isEmbedded ? "SQLite" : "PostgreSQL"}</Fact>
        <Fact name="Size">{formatBytes(bytes)}</Fact>
        {freeBytes !== null && <Fact name="Free on the disk">{formatBytes(freeBytes)}</Fact>}
        {dataDir && (
          <Fact name="Data directory">
            <code>{dataDir}</code>
          </Fact>
        )}
        {isEmbedded && (
          <Fact name="Last backup">{lastBackupAt ? <Time at={lastBackupAt} /> : "none yet"}</Fact>
        )}
      </dl>
      <p className="text-muted">
        {isEmbedded ? (
          <>
            <code>stillup backup FILE</code> makes a backup while the server runs. Other backups are not known
            here.
          </>
        ) : (
          <>
            <code>pg_dump</code> makes backups, which are not known here.
          </>
        )}
      </p>
    </Card>
  );
}

function Nodes({ nodes }: { nodes: NonNullable<Server["owner"]>["nodes"] }) {
  return (
    <Card id="nodes" title="Nodes">
      <ScrollableTable
        label="Table of nodes"
        columns={["Name", "Version", { number: "Checks per second" }, "Last seen"]}
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
      {nodes.length > 1 && (
        <p className="text-muted">
          The other facts are those of the node that answered. All should have the same settings.
        </p>
      )}
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
  return (
    <Form
      className="form"
      check={(data) => (textOf(data, "to") ? [] : [pageFault("required", "to", {})])}
      onSubmit={send}
    >
      <Field name="to" label="Send a test e-mail to">
        {(props) => <input {...props} type="email" autoComplete="email" maxLength={254} />}
      </Field>
      <FormFailure />
      <div className="actions">
        <SubmitButton>Send a test e-mail</SubmitButton>
      </div>
      <div role="status">{sent && <Outcome {...sent} />}</div>
    </Form>
  );
}

function Outcome({ to, test: { outcome, error, advice } }: { to: string; test: MailTest }) {
  if (outcome === "delivered") return <p>The mail server accepted the e-mail to {to}.</p>;
  return (
    <>
      <p className="failure">Not sent: {error}.</p>
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
