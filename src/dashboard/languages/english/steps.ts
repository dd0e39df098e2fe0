export const steps = {} as const;
