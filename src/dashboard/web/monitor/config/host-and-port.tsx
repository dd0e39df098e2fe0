import type { Config } from "../../data/api.ts";
import { TextField } from "../../form/fields.tsx";

export function HostAndPort({ config }: { config: Config }) {
  return (
    <div className="field-pair">
      <TextField name="config.host" label="Host" value={config.host} example="example.com" />
      <TextField name="config.port" label="Port" value={config.port} kind="numeric" />
    </div>
  );
}
