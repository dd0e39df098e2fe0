/** Actions on the monitors that the reader has selected in the overview. */
export const bulk = {
  /** For screen readers. */
  label: "Selected monitors",
  selected: { one: "{count} monitor selected", other: "{count} monitors selected" },
  /** A button that ends the selection. */
  end: "Done",
  /** For screen readers: the check box of a row. */
  select: "Select {name}",
  /** Buttons that select monitors. */
  selectPage: "Select page",
  selectAll: { one: "Select all {count}", other: "Select all {count}" },
  selectNone: "Select none",
  /** A button that leads to a view of the same name: what the course would have been with other settings. */
  hindsight: "What would have been",
  /**
   * Each change: `label` is the button that opens its dialog, `title` the heading of the dialog, `confirm` the button that makes the
   * change, `done` the sentence after it, and `note` a sentence in the dialog.
   */
  changes: {
    pause: {
      label: "Pause",
      title: { one: "Pause {count} monitor", other: "Pause {count} monitors" },
      confirm: "Pause",
      done: { one: "Paused {count} monitor.", other: "Paused {count} monitors." },
      note: "Checks and notifications stop until you resume the monitors.",
    },
    resume: {
      label: "Resume",
      title: { one: "Resume {count} monitor", other: "Resume {count} monitors" },
      confirm: "Resume",
      done: { one: "Resumed {count} monitor.", other: "Resumed {count} monitors." },
    },
    tags: {
      label: "Tags",
      title: { one: "Change the tags of {count} monitor", other: "Change the tags of {count} monitors" },
      confirm: "Change",
      done: { one: "Changed the tags of {count} monitor.", other: "Changed the tags of {count} monitors." },
    },
    channels: {
      label: "Channels",
      title: {
        one: "Change the channels of {count} monitor",
        other: "Change the channels of {count} monitors",
      },
      confirm: "Change",
      done: {
        one: "Changed the channels of {count} monitor.",
        other: "Changed the channels of {count} monitors.",
      },
    },
    /** Between two checks. */
    interval: {
      label: "Interval",
      title: {
        one: "Change the interval of {count} monitor",
        other: "Change the interval of {count} monitors",
      },
      confirm: "Change",
      done: {
        one: "Changed the interval of {count} monitor.",
        other: "Changed the interval of {count} monitors.",
      },
      note: "A monitor of a job has no interval, and stays the same.",
    },
    delete: {
      label: "Delete",
      title: { one: "Delete {count} monitor", other: "Delete {count} monitors" },
      confirm: "Delete",
      done: { one: "Deleted {count} monitor.", other: "Deleted {count} monitors." },
      note: "All their results, their history and their uptime are deleted. You can undo this for ten seconds.",
    },
  },
  /** Beside a button "Undo"; and before a colon and the reason. */
  deletion: {
    pending: { one: "{count} monitor will be deleted.", other: "{count} monitors will be deleted." },
    failed: { one: "{count} monitor could not be deleted", other: "{count} monitors could not be deleted" },
  },
  /** Fields of the dialogs. */
  fields: {
    mode: "What to do",
    modes: { add: "Add", remove: "Remove" },
    tags: "Tags",
    channels: "Channels",
    noChannels: "No channels yet. <link>Create a channel</link>.",
    /** The reader types the number to confirm a deletion. */
    number: {
      one: "Type {count} to delete {count} monitor",
      other: "Type {count} to delete {count} monitors",
    },
  },
  /** The names of monitors, shortened: the last item of a list, such as "web, shop and 9 others". */
  others: { one: "{count} other", other: "{count} others" },
  /** In place of the names, if none is known. */
  unnamed: { one: "{count} monitor", other: "{count} monitors" },
  /** Sentences about what a change will do. `{names}` is a list of monitors. */
  preview: {
    changes: {
      one: "{count} monitor will change: {names}.",
      other: "{count} monitors will change: {names}.",
    },
    deletes: {
      one: "{count} monitor will be deleted: {names}.",
      other: "{count} monitors will be deleted: {names}.",
    },
    nothing: "No monitor will change.",
    same: { one: "{count} monitor will stay the same.", other: "{count} monitors will stay the same." },
    /** A list of them with the reasons follows. */
    refused: { one: "{count} monitor cannot change:", other: "{count} monitors cannot change:" },
    /** The last item of that list. */
    moreRefused: { one: "{count} other", other: "{count} others" },
  },
  /** After a change: the monitors that it could not change. */
  refused: { one: "{count} monitor could not change.", other: "{count} monitors could not change." },
  /** A planned maintenance of the selected monitors. */
  maintenance: {
    /** The button that opens the dialog. */
    label: "Maintenance",
    title: { one: "Maintenance of {count} monitor", other: "Maintenance of {count} monitors" },
    /** `{names}` is a list of monitors. */
    text: "It begins now. Nobody is notified about {names}.",
    /** The title of the maintenance, and what is in this field at first. */
    name: "Title",
    nameValue: "Maintenance",
    end: "End",
    /** `{max}` monitors. */
    tooMany:
      "A maintenance of more than {max} monitors is for all monitors, or for those with one tag: select them by this filter only.",
    /** The button that begins the maintenance. */
    confirm: "Start",
    done: {
      one: "Started a maintenance of {count} monitor.",
      other: "Started a maintenance of {count} monitors.",
    },
    /** Beside a button "Undo". */
    undo: "A maintenance has begun.",
  },
} as const;
