import type { Status } from "../../src/domain/monitors/status.ts";
import { statusCodes } from "../../src/store/sqlite/columns.ts";
import type { Database } from "../../src/store/sqlite/open.ts";

/** Sets the status of a monitor without a result. */
export function setStatus(db: Database, id: string, status: Status): void {
  db.$client.run(
    "UPDATE monitor_states SET status = ? WHERE monitor_pk = (SELECT pk FROM monitors WHERE id = ?)",
    [statusCodes[status], id],
  );
}
