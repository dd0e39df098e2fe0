const UNITS = ["kB", "MB", "GB", "TB"] as const;

/** Such as `48.2 MB`, in powers of 1,000. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 100 ? value.toFixed(1) : Math.round(value)} ${UNITS[power - 1]}`;
}
