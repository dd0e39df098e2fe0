import type { Config } from "../../data/api.ts";
import { TextField } from "../../form/fields.tsx";

export function TimeoutField({ config }: { config: Config }) {
  return (
    <TextField
      name="config.timeout"
      label="Time limit of a check, in seconds"
      value={config.timeout}
      kind="numeric"
      hint="Down if a check takes longer. If empty: 10, or the time between two checks if that is less."
    />
  );
}
