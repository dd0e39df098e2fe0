import { hashKey } from "../../../src/store/accounts/api-keys.ts";
import { createProbeKey } from "../../../src/store/ids.ts";
import type { Store } from "../../../src/store/store.ts";

/** The location `fra` of an organization, which is silent and connected again in turn. */
export class FlappingLocation {
  #pk: number | undefined;
  #isSilent = false;

  /** @param store the current one, which a restart replaces */
  constructor(
    private readonly store: () => Store,
    private readonly organizationId: string,
  ) {}

  /** Each turn is a notice. @param at milliseconds since 1970 @returns its type */
  async turn(at: number): Promise<"location.silent" | "location.connected"> {
    const { silence, reconnect } = this.store().locations;
    this.#pk ??= await this.create(at);
    await (this.#isSilent ? reconnect : silence)(this.#pk, at);
    this.#isSilent = !this.#isSilent;
    return this.#isSilent ? "location.silent" : "location.connected";
  }

  /** @returns its number */
  async create(at: number): Promise<number> {
    const { locations } = this.store();
    const key = createProbeKey();
    await locations.create({ organizationId: this.organizationId, name: "fra", key }, at);
    const { pk } = (await locations.findProbe(hashKey(key))) ?? {};
    if (pk === undefined) throw new Error("the key of a new location is unknown");
    await locations.noteSeen(pk, { now: at, version: "1.0.0" });
    this.#pk = pk;
    return pk;
  }
}
