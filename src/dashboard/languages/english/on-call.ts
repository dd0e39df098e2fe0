export const onCall = {} as const;
