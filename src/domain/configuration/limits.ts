import { AppError } from "../../errors.ts";
import { assertChannelLimit, assertMonitorLimit, assertSubscribed } from "../accounts/organization.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { asFault, type Fault } from "./fault.ts";
import type { ApplyPlan, Deletion, ObjectKind, Step } from "./plan.ts";
import type { StoredConfiguration } from "./stored-configuration.ts";

type Created = Pick<ApplyPlan, "channels" | "monitors">;

/** A fault for each new object that the plan of the organization does not allow (behavior 16.36). */
export function limitFaults(
  { channels, monitors }: Created,
  { organization, ...stored }: StoredConfiguration,
  deletions: readonly Deletion[],
): Fault[] {
  const { plan } = organization;
  const left = (kind: ObjectKind, count: number) =>
    count - deletions.filter((one) => one.kind === kind).length;
  return [
    ...beyond(newRefs("channels", channels), left("channel", stored.channels.length), (count) =>
      assertChannelLimit(plan, count),
    ),
    ...beyond(newRefs("monitors", monitors), left("monitor", stored.monitors.length), (count) =>
      assertMonitorLimit(plan, count),
    ),
  ];
}

/** @throws AppError `no_subscription` that names the first new object, if there is one (behavior 16.36) */
export function assertSubscription(
  { channels, monitors }: Created,
  { organization }: StoredConfiguration,
): void {
  const [first] = [...newRefs("channels", channels), ...newRefs("monitors", monitors)];
  if (first === undefined) return;
  try {
    assertSubscribed(organization);
  } catch (error) {
    const { message, kind, errorCode } = error as AppError;
    throw new AppError(kind, `${first}: ${message}`, errorCode);
  }
}

function newRefs(section: "channels" | "monitors", steps: readonly Step<unknown>[]): string[] {
  return steps.flatMap(({ id, ref }) => (id === null ? [fieldOf(section, ref)] : []));
}

/** @param existing how many there are before the first of the new ones */
function beyond(paths: string[], existing: number, assertLimit: (existing: number) => void): Fault[] {
  return paths.flatMap((path, index) => {
    try {
      assertLimit(existing + index);
      return [];
    } catch (error) {
      return [asFault(error as AppError, path)];
    }
  });
}
