/** A latency is stored in whole microseconds: as exact as it can be measured, in three bytes. */
export function toMicroseconds(latencyMs: number | null): number | null {
  return latencyMs === null ? null : Math.round(latencyMs * 1000);
}

/** A row with its stored latency in milliseconds. */
export function withLatencyMs<Row extends { latency: number | null }>({ latency, ...row }: Row) {
  return { ...row, latencyMs: latency === null ? null : latency / 1000 };
}
