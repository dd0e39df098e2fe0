import { type Static, Type } from "@sinclair/typebox";
import { named } from "../../domain/schemas/schema.ts";
import type { NodeSummary } from "../../store/nodes.ts";
import { iso, Timestamp } from "./time.ts";

export const NodeBody = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    lastSeenAt: Timestamp,
    checksPerSecond: Type.Number(),
  },
  named("Node"),
);

export function nodeBody({ lastSeenAt, ...node }: NodeSummary): Static<typeof NodeBody> {
  return { ...node, lastSeenAt: iso(lastSeenAt) };
}
