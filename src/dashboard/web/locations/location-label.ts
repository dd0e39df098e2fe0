import type { HERE_ID } from "../../../domain/locations/location.ts";
import { texts } from "../languages/texts.ts";

/** The ID and name of this server. Repeated, because the file that has it would bring TypeBox into the scripts of the views. */
export const HERE: typeof HERE_ID = "here";

/** The name of a location in texts for users. No other location can have the name of this server. */
export function locationLabel(name: string): string {
  return name === HERE ? texts.common.thisServer : name;
}
