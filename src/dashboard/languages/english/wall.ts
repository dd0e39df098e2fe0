export const wall = {} as const;
