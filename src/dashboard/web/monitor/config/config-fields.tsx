import type { ReactNode } from "react";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import type { Config } from "../../data/api.ts";
import { TextField } from "../../form/fields.tsx";
import { DnsFields } from "./dns-fields.tsx";
import { HttpFields } from "./http-fields.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";
import { TcpFields } from "./tcp-fields.tsx";
import { TlsFields } from "./tls-fields.tsx";

/** What the fields of a config show. */
export interface ConfigProps {
  config: Config;
  /** Whether the monitor is new, so that the fields offer what we recommend. */
  isNew: boolean;
}

/** The fields of a config, by type. */
export function ConfigFields({ type, ...props }: ConfigProps & { type: MonitorType }) {
  const OwnFields = fields[type];
  return (
    <>
      <OwnFields {...props} />
      {type !== "SCHEDULED" && (
        <TextField
          name="config.interval"
          label="Check every … seconds"
          value={props.config.interval ?? 60}
          kind="numeric"
        />
      )}
    </>
  );
}

const fields: Record<MonitorType, (props: ConfigProps) => ReactNode> = {
  HTTP: HttpFields,
  TCP: TcpFields,
  TLS: TlsFields,
  DNS: DnsFields,
  SCHEDULED: ScheduleFields,
};
