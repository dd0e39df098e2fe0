/** Texts that are loaded after the first view: tools of its frame and of the list of monitors. */
export const tools = {
  /** A button: the search over the page. */
  search: "Search",
  shortcuts: {
    title: "Keyboard shortcuts",
    /** The effect of a key. */
    search: "Search for a monitor, view or action",
    list: "This list",
    close: "Close a dialog",
    hint: "Press G, then the letter of a view. No key works while you type in a field.",
  },
  /** A reader who has signed in with an API key, by the role of the key. */
  keys: { viewer: "viewer key", admin: "admin key", owner: "owner key" },
  /** A button: the views that have no place at the bottom of a phone, and the title of their dialog. */
  more: "More",
  /** Links and buttons, in that dialog and beside the name of the reader. */
  profile: "Profile",
  signOut: "Sign out",
  /** Actions on many monitors of the overview. */
  list: {
    pauseAll: {
      /** A question above a button "Pause all". */
      title: "Pause every monitor?",
      text: "Checks and notifications stop until you resume the monitors.",
    },
  },
  /** Saved filters of the overview. */
  views: {
    /** For screen readers. */
    label: "Saved views",
    /** A button that asks for a name. */
    save: "Save view",
    delete: "Delete view",
    dialog: {
      title: "Save this view",
      name: "Name",
      hint: "This browser keeps the filters and the order. A view with the same name is replaced.",
      /** The button that saves it. */
      save: "Save view",
    },
  },
  /** Pages of a long list of monitors. */
  pages: {
    /** For screen readers. */
    label: "Pages of monitors",
    /** Buttons. */
    previous: "Previous",
    next: "Next",
    /** The places in the list of the first and the last monitor on the page, and how many there are. */
    span: "{first} to {last} of {total}",
    /** The last page that can be shown. */
    spanOfLast: "{first} to {last} of {total}. Search or filter to find the others.",
  },
} as const;
