export const alerts = {} as const;
