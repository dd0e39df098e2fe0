import { Type } from "@sinclair/typebox";
import type { Impact, IncidentStatus } from "../../../domain/pages/incident.ts";
import type { NewIncident, NewIncidentUpdate } from "../../../domain/pages/incident-request.ts";
import { Name } from "../../../domain/schemas/format.ts";
import { faults } from "../../../domain/schemas/validation.ts";
import { checkedValues, rawTextOf, textOf } from "../form/form-values.ts";

/* The controls allow only values that the API accepts, except in the title and the message. */

/** The fields of the incident itself. */
export function changesIn(data: FormData) {
  return {
    title: textOf(data, "title") ?? "",
    impact: textOf(data, "impact") as Impact,
    componentIds: checkedValues(data, "componentIds"),
  };
}

export function changesFaults(data: FormData): string[] {
  return faults(Name, changesIn(data).title, "title");
}

/** The values in the form of a new incident. It has no update if the message is empty. */
export function newIncidentIn(data: FormData): NewIncident {
  const update = updateIn(data);
  return { ...changesIn(data), ...(update.body !== "" && { updates: [update] }) };
}

export function newIncidentFaults(data: FormData): string[] {
  const { status, body } = updateIn(data);
  // Only an update can have a status.
  const lacksMessage = body === "" && status !== "investigating";
  return [
    ...changesFaults(data),
    ...(body === "" ? [] : bodyFaults(body)),
    ...(lacksMessage ? ["body is required for this status"] : []),
  ];
}

/** The update in the form; its body is empty if it is blank. */
export function updateIn(data: FormData): NewIncidentUpdate {
  const body = rawTextOf(data, "body") ?? "";
  return {
    status: textOf(data, "status") as IncidentStatus,
    // Spaces have a meaning in Markdown.
    body: body.trim() === "" ? "" : body,
  };
}

export function updateFaults(data: FormData): string[] {
  const { body } = updateIn(data);
  return body === "" ? ["body is required"] : bodyFaults(body);
}

function bodyFaults(body: string): string[] {
  return faults(Type.String({ format: "markdown" }), body, "body");
}
