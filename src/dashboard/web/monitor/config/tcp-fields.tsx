import type { Config } from "../../data/api.ts";
import { Disclosure } from "../../form/disclosure.tsx";
import { TextField } from "../../form/fields.tsx";
import { escaped, oneLine } from "../../form/shown-text.ts";
import { HostAndPort } from "./host-and-port.tsx";
import { TimeoutField } from "./timeout-field.tsx";

export function TcpFields({ config }: { config: Config }) {
  const { send, contains, timeout } = config;
  return (
    <>
      <HostAndPort config={config} />
      <Disclosure summary="Request and expectations" isOpen={[send, contains, timeout].some(isSet)}>
        <TextField
          name="config.send"
          label="Send after connecting"
          value={typeof send === "string" ? escaped(send) : undefined}
          example="PING\r\n"
          hint="\r\n ends a line, \t is a tab and \\ a backslash. If empty, nothing is sent."
        />
        <TextField
          name="config.contains"
          label="The answer contains"
          value={typeof contains === "string" ? oneLine(contains) : undefined}
          example="PONG"
          hint="Down if this text does not come in time. If empty, an open connection is enough."
        />
        <TimeoutField config={config} />
      </Disclosure>
    </>
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined;
}
