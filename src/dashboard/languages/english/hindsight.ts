export const hindsight = {} as const;
