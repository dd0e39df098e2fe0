import type { Channel, Server } from "../data/api.ts";
import { isOtherOrigin } from "../server/base-url-fault.ts";

export interface Step {
  name: "person" | "monitor" | "channel" | "test" | "mail" | "address" | "backup";
  isDone: boolean;
}

export interface StepFacts {
  monitors: number;
  channels: readonly Pick<Channel, "type">[];
  /** Whether a test or a notification was delivered. */
  isTested: boolean;
  server: Pick<Server, "baseUrl" | "mail" | "database">;
  /** Whether anybody can sign in without a key; undefined if the reader may invite nobody. */
  hasPeople: boolean | undefined;
  /** The origin in the address bar. */
  origin: string;
}

/**
 * The first steps with a new server (behavior 16.340, 19.86). E-mail counts only if a channel needs it, and backups only if the server
 * knows of them.
 */
export function stepsOf({ monitors, channels, isTested, server, hasPeople, origin }: StepFacts): Step[] {
  const { baseUrl, mail, database } = server;
  const needsMail = channels.some(({ type }) => type === "EMAIL");
  return [
    ...(hasPeople === undefined ? [] : [{ name: "person", isDone: hasPeople } as const]),
    { name: "monitor", isDone: monitors > 0 },
    { name: "channel", isDone: channels.length > 0 },
    { name: "test", isDone: isTested },
    ...(needsMail ? [{ name: "mail", isDone: mail.configured } as const] : []),
    { name: "address", isDone: !isOtherOrigin(baseUrl, origin) },
    ...(database?.engine === "sqlite"
      ? [{ name: "backup", isDone: database.lastBackupAt !== null } as const]
      : []),
  ];
}
