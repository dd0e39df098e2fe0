import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { Config } from "../data/api.ts";
import { describeBriefly, describeRest } from "../status/result-detail.ts";
import { StatusCell } from "../status/status-mark.tsx";
import { latencyOrDash } from "../ui/numbers.ts";
import { ScrollableTable } from "../ui/table.tsx";

interface SeenAddress {
  address: string;
  seen: Status;
  reason?: string;
  latencyMs?: number;
}

/** The view of a check at each address of a host (behavior 10.102). @property detail of its result */
export function Addresses({ addresses, detail }: { addresses: readonly SeenAddress[]; detail: Config }) {
  const rest = describeRest(detail, "addresses");
  const hasFailure = addresses.some(({ reason }) => reason);
  const more = hasFailure ? [{ number: "Latency" }, "Detail"] : [];
  return (
    <>
      <ScrollableTable of="addresses" columns={["Address", "Status", ...more]}>
        {addresses.map(({ address, seen, reason, latencyMs }) => (
          <tr key={address}>
            <td className="table-long">
              <code>{address}</code>
            </td>
            <td>
              <StatusCell state={displayStateOfStatus(seen)} status={seen} />
            </td>
            {hasFailure && (
              <>
                <td className="table-number">{latencyOrDash(latencyMs)}</td>
                <td className="table-long table-detail">{reason ? describeBriefly({ reason }) : ""}</td>
              </>
            )}
          </tr>
        ))}
      </ScrollableTable>
      {rest && (
        <p className="text-muted">{rest}, not checked: beyond the sixth, or without a route from stillup.</p>
      )}
    </>
  );
}

/** Empty if the check was not one of each address. */
export function addressesIn({ addresses }: Config): readonly SeenAddress[] {
  return Array.isArray(addresses) ? addresses : [];
}
