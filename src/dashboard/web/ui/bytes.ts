import { isEnglish } from "../languages/locale.ts";
import { unitIn } from "./numbers.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

const SYMBOLS = { byte: "bytes", kilobyte: "kB", megabyte: "MB", gigabyte: "GB", terabyte: "TB" };

/** Such as `48.2 MB`, in powers of 1,000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = UNITS[power] ?? "byte";
  const value = bytes / 1000 ** power;
  const decimals = power > 0 && value < 100 ? 1 : 0;
  return isEnglish ? `${value.toFixed(decimals)} ${SYMBOLS[unit]}` : unitIn(value, unit, decimals);
}
