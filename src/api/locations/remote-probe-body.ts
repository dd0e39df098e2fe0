import { Type } from "@sinclair/typebox";
import { MonitorConfigSchema, MonitorType } from "../../domain/monitors/monitor.ts";
import { closed, described, named } from "../../domain/schemas/schema.ts";

const Milliseconds = Type.Integer({ minimum: 0 });

/** The schema of `Work`. */
export const WorkBody = Type.Object(
  {
    location: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    now: described(Milliseconds, "The time of the server, in milliseconds since 1970."),
    revision: Type.Integer({ description: "Changes whenever `monitors` does." }),
    monitors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            monitorId: Type.String(),
            revision: Type.Integer(),
            type: MonitorType,
            config: described(MonitorConfigSchema, "With its secrets in plain text."),
            offset: Type.Integer({
              description: "How much later its slots are than those of the first location, in milliseconds.",
            }),
          },
          closed,
        ),
        { description: "Missing if the request named the present `revision`." },
      ),
    ),
    rechecks: Type.Array(Type.Object({ monitorId: Type.String(), at: Milliseconds }, closed), {
      description: "Checks outside of the slots that no observation has answered yet.",
    }),
    after: described(Milliseconds, "For the next request."),
  },
  named("ProbeWork"),
);

export const examples = {
  work: {
    location: { id: "Xo7sfTNp21dPjM3kQwZcVb", name: "fra" },
    now: 1_795_255_200_102,
    revision: 7,
    monitors: [
      {
        monitorId: "gwMk6bQBonMDcGzUMCvgWu",
        revision: 1,
        type: "HTTP",
        config: { url: "https://shop.example.com/", interval: 60 },
        offset: 30_000,
      },
    ],
    rechecks: [],
    after: 0,
  },
  answer: { now: 1_795_255_200_102, recorded: 1, repeated: 0, ignored: 0, refused: 0 },
  batch: {
    stream: "Z1u7Kq0TbXw4RmNc8YdJfA",
    observations: [
      {
        sequence: 1,
        monitorId: "gwMk6bQBonMDcGzUMCvgWu",
        revision: 1,
        at: 1_795_255_200_064,
        startAt: 1_795_255_200_000,
        evidence: { outcome: "reached", latencyMs: 41.5, detail: { statusCode: 200 } },
      },
    ],
  },
};
