import { type TSchema, Type } from "@sinclair/typebox";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { ReplayRequest } from "../../domain/replay/changes.ts";
import { shownOutcome } from "../../domain/replay/outcome.ts";
import { Time } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable } from "../../domain/schemas/schema.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const Figure = Type.Union(
  [Type.Integer(), Type.Object({ min: Type.Integer(), max: Type.Integer() }, closed)],
  named("ReplayFigure"),
);

const Counts = Type.Object(
  {
    outages: described(Figure, "How many began in the range."),
    notifications: described(Figure, "Messages to channels, one for each, with recoveries and repetitions."),
    downSeconds: described(Figure, "How long these outages were in the range, in all."),
  },
  named("ReplayCounts"),
);

const ListedOutage = Type.Object(
  { monitorId: Type.String(), startedAt: Time, endedAt: nullable(Time), status: StatusSchema },
  named("ReplayedOutage"),
);

const listed = (description: string): TSchema => Type.Array(ListedOutage, { maxItems: 50, description });

const counts = { outages: 3, notifications: 41, downSeconds: 5400 };
const example = {
  ...{ from: "2026-10-30T08:00:00.000Z", to: "2026-11-29T08:00:00.000Z", monitorCount: 12 },
  ...{ present: counts, changed: { ...counts, notifications: 3 } },
  ...{ later: { medianSeconds: 38, maxSeconds: 40 }, missed: [], gone: [], exact: true },
};

const ReplayBody = Type.Object(
  {
    ...{ from: Time, to: Time },
    monitorCount: Type.Integer({ description: "How many monitors are selected." }),
    present: described(Counts, "As it was recorded."),
    changed: described(Counts, "As it would have been."),
    later: Type.Object(
      { medianSeconds: Figure, maxSeconds: Figure },
      {
        description:
          "How much later the first channel is notified, over the outages that are notified both ways.",
      },
    ),
    missed: listed(
      "The first 50 outages that would have been, of which no channel would have been notified.",
    ),
    gone: listed("The first 50 outages that would not have been."),
    exact: Type.Boolean({
      description:
        "Whether no check was needed that was never made. If false, each figure is `{ min, max }`.",
    }),
  },
  named("Replay", example),
);

/** Behavior 25.1 to 25.9. */
export function replayRoutes({ store, authenticator, bodies, replays }: Services) {
  return resource({ authenticator, store }, "/replay", "Monitors").post(
    "",
    async ({ caller, body }) => ({ data: shownOutcome(await replays.run(caller.organizationId, body)) }),
    {
      ...bodyFor({ authenticator, bodies }, ReplayRequest, { role: "viewer" }),
      detail: answering({
        operationId: "replayAlerting",
        summary: "Replay alerting",
        description:
          "What would have happened with other settings of alerting, from the results that exist. It changes nothing. One runs at a " +
          "time for an organization.",
        answer: ReplayBody,
        errors: [403, 413, 422],
      }),
    },
  );
}
