import type { Config } from "../../data/api.ts";
import { Disclosure } from "../../form/disclosure.tsx";
import { TextField } from "../../form/fields.tsx";
import { HostAndPort } from "./host-and-port.tsx";

export function TlsFields({ config }: { config: Config }) {
  const { warnDays, servername } = config;
  return (
    <>
      <HostAndPort config={{ port: 443, ...config }} />
      <Disclosure summary="Warning and name" isOpen={warnDays !== undefined || servername !== undefined}>
        <TextField
          name="config.warnDays"
          label="Expires soon: … days before the end"
          value={warnDays}
          kind="numeric"
          hint="If empty: 14 days."
        />
        <TextField
          name="config.servername"
          label="Name in the handshake"
          value={servername}
          example="www.example.com"
          hint="For a server with several certificates. If empty: the host."
        />
      </Disclosure>
    </>
  );
}
