import type { ChannelType } from "../../domain/alerts/channel.ts";
import type { Transition } from "../../domain/alerts/delivery.ts";
import { type BoundChannel, planDeliveries } from "../../domain/alerts/delivery-plan.ts";
import type { PlannedTransition, RecordingPlan } from "../../domain/monitors/recording-plan.ts";
import { deliveryId, resultId } from "../ids.ts";
import { asStored } from "../results/measured.ts";
import type { StoredSubjects } from "./stored-subject.ts";

export interface StoredChannel extends BoundChannel {
  pk: number;
}

/** A delivery to insert, due when it was created. @property transition JSON */
export interface NewDelivery {
  id: string;
  monitorPk: number;
  resultPk: number;
  channelPk: number;
  channelId: string;
  channelType: ChannelType;
  transition: string;
  createdAt: number;
}

/**
 * The deliveries that follow from the transitions of a plan, in their order.
 *
 * @param resultPks the saved results of the plan
 * @param channels the enabled channels of each monitor, by its ID
 */
export function newDeliveries(
  { transitions, results }: RecordingPlan,
  { subjects, resultPks }: { subjects: StoredSubjects; resultPks: readonly number[] },
  channels: ReadonlyMap<string, readonly StoredChannel[]>,
): NewDelivery[] {
  const deliveries = Map.groupBy(planDeliveries(transitions, channels), ({ transition }) => transition);
  return [...deliveries].flatMap(([transition, planned]) => {
    const [resultPk, result] = [resultPks[transition.resultAt], results[transition.resultAt]];
    const monitorPk = subjects.get(transition.monitor.id)?.pk;
    if (resultPk === undefined || !result || monitorPk === undefined) return [];
    const { latencyMs, detail, createdAt } = asStored(result);
    const text = textOf(transition, { id: resultId(resultPk), latencyMs, detail, createdAt });
    return planned.map(({ channel: { pk: channelPk, id: channelId, type: channelType } }) => ({
      id: deliveryId(resultPk),
      ...{ monitorPk, resultPk, channelPk, channelId, channelType, transition: text, createdAt },
    }));
  });
}

function textOf({ resultAt: _, ...transition }: PlannedTransition, result: Transition["result"]): string {
  return JSON.stringify({ ...transition, result } satisfies Transition);
}
