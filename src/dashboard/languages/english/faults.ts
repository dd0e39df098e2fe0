export const faults = {} as const;
