import type { deliver } from "../../../src/alerts/deliver.ts";
import { type AlertEvent, isTransition } from "../../../src/domain/alerts/alert-event.ts";
import type { ChannelConfig } from "../../../src/domain/alerts/channel.ts";
import type { Life } from "./life.ts";
import type { Attempt, Sent } from "./rules.ts";
import type { ChannelSlot } from "./slots.ts";
import { addressOf } from "./template.ts";
import type { OutboxWorld } from "./world.ts";

/** The network of one process: the rules judge what is sent, and the receiver answers in its manner. */
export function networkOf(world: OutboxWorld, life: Life): typeof deliver {
  return async ({ config }, { id, event, now }) => {
    world.starts++;
    const { url } = config as ChannelConfig<"WEBHOOK">;
    const slot = slotAt(world, url);
    const { manner } = slot;
    const sent = { address: url, id, organizationId: event.organization.id, ...contentOf(event) };
    const attempt = world.judge(() => {
      world.recordings.noteWritten();
      return world.rules.start(slot.model, sent, now);
    });
    if (attempt && manner.answer.outcome === "delivered") attempt.notification.arrivals++;
    if (slot.endsProcess) life.end();
    slot.endsProcess = false;
    if (manner.after > 0) await world.clock.sleep(manner.after);
    if (attempt && !life.isOver) end(world, attempt, manner.answer);
    return manner.answer;
  };
}

function contentOf(event: AlertEvent): Pick<Sent, "monitorId" | "from" | "to"> {
  if (!isTransition(event)) return { monitorId: null, from: "", to: event.type };
  const { monitor, previousStatus: from, status: to } = event;
  return { monitorId: monitor.id, from, to };
}

function slotAt({ channels }: OutboxWorld, url: string): ChannelSlot {
  const slot = channels.find(({ name }) => url.startsWith(addressOf(name, "")));
  if (!slot) throw new Error(`no channel has the address ${url}`);
  return slot;
}

function end({ clock }: OutboxWorld, attempt: Attempt, answer: ChannelSlot["manner"]["answer"]): void {
  attempt.ended = { answer, at: clock.now(), elapsed: clock.monotonic() };
}
