interface Dependent {
  id: string;
  name: string;
  dependsOn: readonly string[];
}

interface Notified {
  enabled: boolean;
  bindings: readonly { monitorId: string }[];
}

/**
 * The names of the monitors that mute others while nobody is notified of themselves, because no enabled channel is bound to them
 * (behavior 14.96).
 *
 * @param parents the IDs of the monitors that a monitor depends on directly
 */
export function silentParents(
  parents: readonly string[],
  monitors: readonly Dependent[],
  channels: readonly Notified[],
): string[] {
  const known = new Map(monitors.map((one) => [one.id, one]));
  // It grows while it is walked.
  const ids = new Set(parents);
  for (const id of ids) for (const next of known.get(id)?.dependsOn ?? []) ids.add(next);
  const notified = new Set(
    channels.filter(({ enabled }) => enabled).flatMap(({ bindings }) => bindings.map((one) => one.monitorId)),
  );
  return monitors.filter(({ id }) => ids.has(id) && !notified.has(id)).map(({ name }) => name);
}
