import { Type } from "@sinclair/typebox";

/** The name under which a configuration file knows a monitor, channel, maintenance or page (behavior 16.1). */
export const Ref = Type.String({
  pattern: "^[a-z0-9][a-z0-9._-]{0,99}$",
  description: "The name under which a configuration file knows it. Unique in the organization for its kind.",
  examples: ["shop"],
});
