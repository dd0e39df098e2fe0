export const outages = {} as const;
