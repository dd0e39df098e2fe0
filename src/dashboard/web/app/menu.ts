/** The views in the menu of the header, by path. On a phone, the first ones are at the bottom, and the others behind "More". */
export const menu = [
  ["/", "Overview"],
  ["/outages", "Outages"],
  ["/maintenances", "Maintenance"],
  ["/events", "Events"],
  ["/pages", "Pages"],
  ["/reports", "Reports"],
  ["/channels", "Channels"],
  ["/locations", "Locations"],
  ["/keys", "API keys"],
  ["/settings", "Settings"],
] as const;

/** How many of them a phone shows at the bottom. */
export const PRIMARY = 3;
