import { type Static, Type } from "@sinclair/typebox";
import { closed } from "../../domain/schemas/schema.ts";
import type { NodeSummary } from "../../store/nodes.ts";
import { iso, Timestamp } from "./time.ts";

export const NodeBody = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    lastSeenAt: Timestamp,
    checksPerSecond: Type.Number(),
  },
  closed,
);

export function nodeBody({ lastSeenAt, ...node }: NodeSummary): Static<typeof NodeBody> {
  return { ...node, lastSeenAt: iso(lastSeenAt) };
}
