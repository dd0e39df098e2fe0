/** The icon of stillup, for pages without an icon of the settings. */
export const STILLUP_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>stillup</title><rect width="32" height="32" rx="8" fill="#2f57c8"/><path d="M6 17h5l3-8 4 14 3-6h5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;
