export const evidence = {} as const;
