/** Texts that are loaded after the first view: tools of its frame and of the list of monitors. */
export const tools = {
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
