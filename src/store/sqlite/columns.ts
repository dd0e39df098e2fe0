import { customType } from "drizzle-orm/sqlite-core";
import type { DeliveryStatus } from "../../domain/alerts/delivery.ts";

/** The numbers stand in the databases of users: a new word gets a new number, and none is ever used again. */
export const deliveryStatusCodes: Record<DeliveryStatus, number> = { pending: 0, delivered: 1, failed: 2 };

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
