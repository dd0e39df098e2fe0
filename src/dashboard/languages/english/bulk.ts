export const bulk = {} as const;
