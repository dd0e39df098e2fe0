import { describe, expect, test } from "bun:test";
import type { Observed } from "../../../src/domain/locations/protocol.ts";
import { contractSuite } from "./suite.ts";
import { NOW } from "./world.ts";

const STREAM = "a".repeat(22);

contractSuite("observations", (world) => {
  const send = (location: number, observations: Observed[], { stream = STREAM, receivedAt = NOW } = {}) =>
    world().store.recording.recordObservations({ location, stream, observations, receivedAt });

  const up = (monitorId: string, sequence: number, at = NOW): Observed => ({
    ...{ sequence, monitorId, revision: 0, at, startAt: at },
    evidence: { outcome: "reached", latencyMs: 10, detail: {} },
  });

  describe("an observation", () => {
    test("behavior 13.27: is recorded once, however often it is sent", async () => {
      const { id, pk } = await world().location();
      const monitor = await world().placed([id]);
      expect(await send(pk, [up(monitor, 5)])).toMatchObject({ recorded: [{ status: "up" }], repeated: 0 });
      await world().opened.reopen();
      const again = [up(monitor, 5), up(monitor, 6, NOW + 1), up(monitor, 6, NOW + 1)];
      const second = await send(pk, again, { receivedAt: NOW + 1 });
      expect(second).toMatchObject({ recorded: [null, { status: "up" }, null], repeated: 2 });
      expect(await world().results(monitor)).toHaveLength(2);
      const other = await send(pk, [up(monitor, 5, NOW + 2)], {
        stream: "b".repeat(22),
        receivedAt: NOW + 2,
      });
      expect(other).toMatchObject({ recorded: [{ status: "up" }], repeated: 0 });
    });

    test("is ignored for a monitor that its location does not check, or that is of another revision", async () => {
      const fra = await world().location("fra");
      const nyc = await world().location("nyc");
      const other = await world().another();
      const foreign = await other.location();
      const monitor = await world().placed([fra.id]);
      const here = await world().site();
      const ignored = { recorded: [null], repeated: 0 };
      expect(await send(nyc.pk, [up(monitor, 1)])).toEqual(ignored);
      expect(await send(foreign.pk, [up(monitor, 1)])).toEqual(ignored);
      expect(await send(fra.pk, [up(here, 1)])).toEqual(ignored);
      expect(await send(fra.pk, [up("unknown", 2)])).toEqual(ignored);
      expect(await send(fra.pk, [{ ...up(monitor, 3), revision: 1 }])).toEqual(ignored);
      expect(await send(99, [up(monitor, 4)])).toEqual(ignored);
      expect(await world().results(monitor)).toEqual([]);
      expect(await world().results(here)).toEqual([]);
    });
  });
});
