import { type Static, Type } from "@sinclair/typebox";
import { Name } from "../schemas/format.ts";
import { closed, described, oneOf } from "../schemas/schema.ts";
import { IMPACTS, INCIDENT_STATUSES } from "./incident.ts";
import { MAX_COMPONENTS } from "./page-request.ts";

/** Updates of one incident. */
export const MAX_UPDATES = 100;

const updateFields = {
  status: oneOf(INCIDENT_STATUSES),
  body: Type.String({ format: "markdown", description: "Markdown, of up to 10,000 characters." }),
};

/** Behavior 15.12. */
export const NewIncidentUpdate = Type.Object(updateFields, {
  ...closed,
  examples: [{ status: "monitoring", body: "A fix is deployed. We watch it." }],
});
export type NewIncidentUpdate = Static<typeof NewIncidentUpdate>;

/** Behavior 17.40. */
export const IncidentUpdateChanges = Type.Partial(Type.Object(updateFields), {
  ...closed,
  examples: [{ body: "A fix is deployed since 10:20 UTC." }],
});
export type IncidentUpdateChanges = Static<typeof IncidentUpdateChanges>;

const Title = described(Name, "What is wrong.");
const Impact = described(oneOf(IMPACTS), "How bad it is for the readers of the page.");
const ComponentIds = Type.Array(Type.String(), {
  maxItems: MAX_COMPONENTS,
  description: "Components of the page.",
});

/** Behavior 15.10. */
export const NewIncident = Type.Object(
  {
    title: Title,
    impact: Impact,
    componentIds: Type.Optional(
      described(ComponentIds, "Components of the page. Default: those of the outage, or else none."),
    ),
    updates: Type.Optional(
      Type.Array(Type.Object(updateFields, closed), {
        maxItems: MAX_UPDATES,
        description: "The oldest first. Default: none.",
      }),
    ),
    outageId: Type.Optional(
      Type.String({
        description: "An outage of a component of the page, which then shows this incident in its place.",
      }),
    ),
  },
  {
    ...closed,
    examples: [
      {
        title: "Payments fail",
        impact: "major",
        updates: [{ status: "investigating", body: "Card payments **fail** since 10:00 UTC." }],
      },
    ],
  },
);
export type NewIncident = Static<typeof NewIncident>;

export const IncidentChanges = Type.Object(
  {
    title: Type.Optional(Title),
    impact: Type.Optional(Impact),
    componentIds: Type.Optional(ComponentIds),
  },
  { ...closed, examples: [{ title: "Card payments fail", impact: "minor" }] },
);
export type IncidentChanges = Static<typeof IncidentChanges>;
