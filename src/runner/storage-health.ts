/** Whether the disk accepts writes, judged by the last write. */
export interface StorageHealth {
  report(accepted: boolean): void;
  isHealthy(): boolean;
}

export function createStorageHealth(): StorageHealth {
  let isHealthy = true;
  return {
    report(accepted) {
      isHealthy = accepted;
    },
    isHealthy: () => isHealthy,
  };
}
