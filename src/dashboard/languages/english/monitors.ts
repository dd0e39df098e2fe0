export const monitors = {} as const;
