export const maintenance = {} as const;
