/** How many days before its end a registration expires soon, if the config does not say it. */
export const REGISTRATION_WARN_DAYS = 30;
