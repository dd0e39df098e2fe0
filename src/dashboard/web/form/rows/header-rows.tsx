import { MASK } from "../../../../domain/schemas/mask.ts";
import type { Config } from "../../data/api.ts";
import { PairRows } from "./pair-rows.tsx";

/** The headers of requests, whose values are secrets. */
export function HeaderRows({ config }: { config: Config }) {
  return (
    <PairRows
      name="config.headers"
      legend="Request headers"
      labels={["Header", "Value"]}
      rows={Object.entries((config.headers ?? {}) as Record<string, string>)}
      examples={["Authorization", "Bearer …"]}
      add="Add a header"
      hint={`Values are secrets: after saving, nobody can read them. ${MASK} keeps the saved value.`}
    />
  );
}
