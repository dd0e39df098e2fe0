import { hostname } from "node:os";
import type { Source } from "../domain/discovery/found.ts";
import type { DiscoverSettings } from "../domain/discovery/settings.ts";
import { BOUNDS, type Bounds } from "./bounded-answer.ts";
import { createDockerSource } from "./docker.ts";
import { createFilesSource } from "./files.ts";
import { PAUSES, type Pauses } from "./follow.ts";
import { createHttpSource } from "./http.ts";
import { createKubernetesSource, type PodAccount, THIS_POD } from "./kubernetes.ts";

/** @property account of the pod @property own the host name of this process */
interface Surroundings {
  account?: PodAccount;
  own?: string;
  bounds?: Bounds;
  pauses?: Pauses;
}

/** The sources of settings, in a fixed order. Nothing is read yet. */
export function createSources(
  { docker, kubernetes, files, http }: DiscoverSettings,
  { account = THIS_POD, own = hostname(), bounds = BOUNDS, pauses = PAUSES }: Surroundings = {},
): Source[] {
  return [
    ...(docker ? [createDockerSource(docker, { own, bounds, pauses })] : []),
    ...(kubernetes ? [createKubernetesSource({ account, bounds, pauses })] : []),
    ...(files !== undefined ? [createFilesSource(files, { bounds })] : []),
    ...(http !== undefined ? [createHttpSource(http, { bounds })] : []),
  ];
}
