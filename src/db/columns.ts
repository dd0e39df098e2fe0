import { customType } from "drizzle-orm/sqlite-core";
import type { DeliveryStatus } from "../domain/delivery.ts";
import type { Status } from "../domain/status.ts";

/** The numbers stand in the databases of users: a new word gets a new number, and none is ever used again. */
const statusCodes: Record<Status, number> = {
  unknown: 0,
  up: 1,
  down: 2,
  degraded: 3,
  ok: 4,
  failed: 5,
  havent_heard: 6,
  active: 7,
  expiring_soon: 8,
  expired: 9,
  no_cert: 10,
  present: 11,
  missing: 12,
  changed: 13,
};

const deliveryStatusCodes: Record<DeliveryStatus, number> = { pending: 0, delivered: 1, failed: 2 };

/** The number by which a status is stored. */
export function statusCode(status: Status): number {
  return statusCodes[status];
}

/** A status as one small integer. */
export const status = coded(statusCodes);
export const deliveryStatus = coded(deliveryStatusCodes);

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "blob" });

function coded<Word extends string>(codes: Record<Word, number>) {
  const words = new Map(Object.entries(codes).map(([word, code]) => [code, word as Word]));
  return customType<{ data: Word; driverData: number }>({
    dataType: () => "integer",
    toDriver: (word) => codes[word],
    fromDriver(code) {
      const word = words.get(code);
      if (word === undefined)
        throw new Error(`the database holds ${code}, which is none of ${Object.keys(codes)}`);
      return word;
    },
  });
}
