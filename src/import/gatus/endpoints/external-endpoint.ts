import { clamp, recordOf } from "../../untyped.ts";
import type { Environment } from "../../variables.ts";
import { durationIn } from "../numbers.ts";
import type { Mapped } from "./endpoint.ts";

const SHORTEST = 10;
const LONGEST = 31_536_000;

/** A SCHEDULED monitor: the job checks in here in place of pushing its result to Gatus (behavior 16.113). */
export function mapExternal(
  { heartbeat }: Record<string, unknown>,
  env: Environment,
  leave: (what: string, why: string) => void,
): Mapped {
  const length = durationIn(recordOf(heartbeat).interval, env);
  if (length)
    return { type: "SCHEDULED", config: { period: clamp(SHORTEST, Math.round(length / 1000), LONGEST) } };
  leave(
    "heartbeat.interval",
    "it has none: stillup learns the rhythm from the check-ins, and notices a late one",
  );
  return { type: "SCHEDULED", config: {} };
}
