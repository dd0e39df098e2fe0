import { Type } from "@sinclair/typebox";
import type { Remote } from "../config.ts";
import { CHANGE_ACTIONS, OBJECT_KINDS } from "../domain/configuration/plan.ts";
import { oneOf } from "../domain/schemas/schema.ts";
import type { ConfigurationAccess } from "./configuration-access.ts";
import { createServerClient } from "./server-client.ts";

/* Answers of the server, whose version may be another one. */

const Changes = Type.Object({
  changes: Type.Array(
    Type.Object({
      action: oneOf(CHANGE_ACTIONS),
      kind: oneOf(OBJECT_KINDS),
      ref: Type.String(),
      fields: Type.Array(Type.String()),
    }),
  ),
});
const Exported = Type.Object({ document: Type.Object({}), secrets: Type.Array(Type.String()) });

/**
 * An organization behind a server, by its API (behavior 16.68).
 *
 * @param warn says a sentence to the user
 * @throws UsageError if the file has no key
 */
export function createConfigurationClient(
  remote: Remote,
  warn: (sentence: string) => void,
): ConfigurationAccess {
  const { request } = createServerClient(remote, warn);
  return {
    apply: (document, { prune, isDryRun }) => {
      const parameters = {
        ...(isDryRun && { dryRun: "true" }),
        ...(prune !== "none" && { prune: prune === "all" ? "all" : "true" }),
      };
      const path = `apply?${new URLSearchParams(parameters)}`;
      return request(path, { data: Changes, method: "POST", body: JSON.stringify(document) });
    },
    export: () => request("export", { data: Exported, method: "GET" }),
    async setRefs() {
      await request("export/refs", { data: Type.Unknown(), method: "POST" });
    },
  };
}
