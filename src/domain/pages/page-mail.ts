import type { IncidentStatus } from "./incident.ts";

/** What an e-mail to a subscriber says; its links are added when it is sent. Times are milliseconds since 1970. */
export type PageMail =
  | { kind: "optIn" }
  | {
      kind: "incident";
      title: string;
      /** The latest one; null for an incident without updates. */
      update: { status: IncidentStatus; body: string } | null;
      components: string[];
      at: number;
    }
  | { kind: "outage"; component: string; isDown: boolean; startedAt: number; endedAt: number | null }
  | {
      kind: "maintenance";
      title: string;
      message: string | null;
      components: string[];
      startedAt: number;
      /** The end of the window: expected, or, if `isOver`, when it ended. */
      endsAt: number;
      isOver: boolean;
    };
