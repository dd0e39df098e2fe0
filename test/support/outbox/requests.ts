import { StorageFault } from "../../../src/errors.ts";
import type { Store } from "../../../src/store/store.ts";
import { delayOf } from "./decisions.ts";
import type { ModelChannel, ModelMonitor } from "./rules.ts";
import { type ChannelSlot, type MonitorSlot, newChannel, newMonitor } from "./slots.ts";
import { addressOf, channelValues, monitorValues } from "./template.ts";
import type { OutboxWorld } from "./world.ts";

/** Changes by users, in the product and in the rules. */
export class Requests {
  constructor(private readonly world: OutboxWorld) {}

  get #now(): number {
    return this.world.clock.now();
  }

  updateChannel({ owner, model }: ChannelSlot, changes: Partial<Pick<ModelChannel, "enabled" | "notifyOn">>) {
    return this.#change(
      (store) => store.channels.update(owner.organizationId, model.id, changes, this.#now),
      () => {
        Object.assign(model, changes);
        if (!model.enabled) this.world.rules.cancel(model, "the channel was disabled");
      },
    );
  }

  changeAddress(slot: ChannelSlot): Promise<void> {
    const { owner, model, name } = slot;
    const address = addressOf(name, ++slot.addresses);
    const changes = { config: { url: address } };
    return this.#change(
      (store) => store.channels.update(owner.organizationId, model.id, changes, this.#now),
      () => this.world.rules.changeAddress(model, address, this.#now),
    );
  }

  deleteChannel({ owner, model }: ChannelSlot): Promise<void> {
    return this.#change(
      (store) => store.channels.delete(owner.organizationId, model.id),
      () => {
        model.exists = false;
        for (const monitor of this.world.rules.monitors) monitor.channels.delete(model);
        this.world.rules.cancel(model, "the channel was deleted");
      },
    );
  }

  createChannel(slot: ChannelSlot): Promise<void> {
    const address = addressOf(slot.name, ++slot.addresses);
    return this.#change(
      (store) => store.channels.create(slot.owner, channelValues(slot.name, address), this.#now),
      ({ id }) => {
        slot.model = newChannel({ id, owner: slot.owner, address });
        this.world.rules.channels.push(slot.model);
      },
    );
  }

  setDefault({ owner, model }: ChannelSlot, isDefault: boolean): Promise<void> {
    const { organizationId } = owner;
    const defaults = this.world.rules.channels.filter((one) => {
      const isOwn = one.organizationId === organizationId && one.exists;
      return isOwn && (one === model ? isDefault : one.isDefault);
    });
    const defaultAlertChannelIds = defaults.map(({ id }) => id);
    return this.#change(
      (store) => store.organizations.updateSettings(organizationId, { defaultAlertChannelIds }),
      () => {
        model.isDefault = isDefault;
      },
    );
  }

  /** The location of the organization of a channel is silent, or connected again, in turn. */
  notify({ owner: { organizationId, location } }: ChannelSlot): Promise<void> {
    const { silent } = this.world;
    const [at, isSilent] = [this.#now, !silent.has(organizationId)];
    return this.#change(
      ({ locations }) => (isSilent ? locations.silence : locations.reconnect)(location, at),
      () => {
        if (isSilent) silent.add(organizationId);
        else silent.delete(organizationId);
        this.world.rules.notify(organizationId, isSilent ? "location.silent" : "location.connected", at);
      },
    );
  }

  bind({ owner, model: monitor }: MonitorSlot, { model: channel }: ChannelSlot, isBound: boolean) {
    const bound = new Set(monitor.channels);
    if (isBound) bound.add(channel);
    else bound.delete(channel);
    const alertBindings = [...bound].map((one) => bindingOf(one, monitor));
    return this.#change(
      (store) => store.monitors.update(owner, monitor.id, { alertBindings }, this.#now),
      () => {
        monitor.channels = bound;
        monitor.delays.delete(channel);
        if (!isBound) this.world.rules.cancel(channel, "the channel was unbound from the monitor", monitor);
      },
    );
  }

  /** Holds from the next outage on. @param after seconds */
  setDelay({ owner, model: monitor }: MonitorSlot, { model: channel }: ChannelSlot, after: number) {
    const { delays, outage } = monitor;
    const [before, delay] = [delayOf(monitor, channel), after * 1000];
    const alertBindings = [...monitor.channels].map((one) =>
      one === channel ? { alertChannelId: one.id, after } : bindingOf(one, monitor),
    );
    return this.#change(
      (store) => store.monitors.update(owner, monitor.id, { alertBindings }, this.#now),
      () => delays.set(channel, { after: delay, kept: outage && { outage, after: before } }),
    );
  }

  setDependencies({ owner, model }: MonitorSlot, parents: MonitorSlot[]): Promise<void> {
    const dependsOn = parents.map((parent) => parent.model.id);
    return this.#change(
      (store) => store.monitors.update(owner, model.id, { dependsOn }, this.#now),
      () => {
        model.dependsOn = new Set(parents.map((parent) => parent.model));
        this.world.rules.decideAgain((one) => one.monitor === model);
      },
    );
  }

  acknowledge({ owner, model }: MonitorSlot): Promise<void> {
    return this.#change(
      async (store) => {
        const id = await openOutageOf(store, { ...owner, monitorId: model.id });
        await store.outages.acknowledge(owner.organizationId, id, { by: "test", note: null }, this.#now);
      },
      () => this.world.rules.acknowledge(model),
    );
  }

  takeBack({ owner, model }: MonitorSlot): Promise<void> {
    return this.#change(
      async (store) => {
        const id = await openOutageOf(store, { ...owner, monitorId: model.id });
        await store.outages.unacknowledge(owner.organizationId, id, this.#now);
      },
      () => this.world.rules.takeBack(model),
    );
  }

  enableMonitor({ owner, model }: MonitorSlot, enabled: boolean): Promise<void> {
    return this.#change(
      (store) => store.monitors.update(owner, model.id, { enabled }, this.#now),
      () => {
        model.enabled = enabled;
        model.revision++;
        if (enabled) this.world.rules.resume(model);
        else this.world.rules.pause(model, this.#now);
      },
    );
  }

  deleteMonitor({ owner, model }: MonitorSlot): Promise<void> {
    return this.#change(
      (store) => store.monitors.delete(owner.organizationId, model.id),
      () => {
        model.exists = false;
        this.world.rules.decideDependents(model);
      },
    );
  }

  /** The new monitor is bound to all channels of its organization. */
  createMonitor(slot: MonitorSlot): Promise<void> {
    const channels = this.world.channels
      .filter(({ owner, model }) => owner === slot.owner && model.exists)
      .map(({ model }) => model);
    const ids = channels.map(({ id }) => id);
    return this.#change(
      (store) => store.monitors.create(slot.owner, monitorValues(slot, ids), this.#now),
      ({ id }) => {
        slot.model = newMonitor({ id, kind: slot.kind }, slot.owner, channels);
        this.world.rules.monitors.push(slot.model);
      },
    );
  }

  /** While the disk rejects writes, every request is rejected. */
  async #change<Value>(work: (store: Store) => Promise<Value>, apply: (value: Value) => void): Promise<void> {
    const { world } = this;
    try {
      const value = await work(world.instance.store);
      if (world.diskFails) throw new Error("a change was accepted though the disk rejects writes");
      apply(value);
      // As the routes do.
      const { life, alertReview } = world.instance;
      await life.during(alertReview.run());
      world.review();
    } catch (error) {
      if (!(error instanceof StorageFault && world.diskFails)) throw error;
    }
    await world.moment();
  }
}

function bindingOf(channel: ModelChannel, monitor: ModelMonitor) {
  return { alertChannelId: channel.id, after: (monitor.delays.get(channel)?.after ?? 0) / 1000 };
}

async function openOutageOf(
  store: Store,
  { organizationId, monitorId }: { organizationId: string; monitorId: string },
): Promise<string> {
  const { items } = await store.outages.list(organizationId, { monitorId, isOpen: true, limit: 1 });
  const [outage] = items;
  if (!outage) throw new Error("a monitor in trouble has no open outage (14.53)");
  return outage.id;
}
