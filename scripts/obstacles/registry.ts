import { addresses } from "./classes/addresses.ts";
import { bodies } from "./classes/bodies.ts";
import { breakdowns } from "./classes/breakdowns.ts";
import { brownOuts } from "./classes/brown-outs.ts";
import { certificates } from "./classes/certificates.ts";
import { connections } from "./classes/connections.ts";
import { flapping } from "./classes/flapping.ts";
import { framing } from "./classes/framing.ts";
import { handshakes } from "./classes/handshakes.ts";
import { jobs } from "./classes/jobs.ts";
import { mail } from "./classes/mail.ts";
import { many } from "./classes/many.ts";
import { names } from "./classes/names.ts";
import { ownFaults } from "./classes/own-faults.ts";
import { reach } from "./classes/reach.ts";
import { receivers } from "./classes/receivers.ts";
import { redirects } from "./classes/redirects.ts";
import { several } from "./classes/several.ts";
import { times } from "./classes/times.ts";
import type { Scenario } from "./scenario.ts";

/** Every scenario, by its class. */
export const CLASSES: Record<string, Scenario[]> = {
  names,
  addresses,
  connections,
  handshakes,
  certificates,
  framing,
  bodies,
  redirects,
  reach,
  times,
  flapping,
  "brown-outs": brownOuts,
  several,
  many,
  jobs,
  "own-faults": ownFaults,
  breakdowns,
  mail,
  receivers,
};
