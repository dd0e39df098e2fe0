import { expect, test } from "bun:test";
import { debounce } from "../../../src/runner/deliveries/debounce.ts";
import { eventually } from "../../support/eventually.ts";

test("requests made together run the work once", async () => {
  let runs = 0;
  const work = debounce(
    async () => void runs++,
    () => 20,
  );
  for (let at = 0; at < 10; at++) work.request();
  await eventually(() => runs === 1);
  for (let at = 0; at < 10; at++) work.request();
  await eventually(() => runs === 2);
});

test("a request during a run is followed by another run, and never by two at once", async () => {
  let runs = 0;
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const work = debounce(
    async () => {
      runs++;
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
    },
    () => 0,
  );
  work.request();
  await eventually(() => runs === 1);
  work.request();
  work.request();
  gate.resolve();
  await eventually(() => runs === 2);
  expect(most).toBe(1);
});

test("nothing runs after a stop", async () => {
  let runs = 0;
  const work = debounce(
    async () => void runs++,
    () => 0,
  );
  work.request();
  work.stop();
  work.request();
  const later = debounce(
    async () => void runs--,
    () => 0,
  );
  later.request();
  await eventually(() => runs === -1);
});
