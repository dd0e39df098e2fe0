import { customType } from "drizzle-orm/pg-core";
import { deliveryStatusCodes, statusCodes, wordOf, wordsOf } from "../status-codes.ts";

export const deliveryStatus = coded(deliveryStatusCodes);

export const statusCode = coded(statusCodes);

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

function coded<Word extends string>(codes: Record<Word, number>) {
  const words = wordsOf(codes);
  return customType<{ data: Word; driverData: number }>({
    dataType: () => "smallint",
    toDriver: (word) => codes[word],
    fromDriver: (code) => wordOf(words, code),
  });
}
