/** The settings of the operator that code in threads needs too. A thread gets them with each task. */

export interface CoreSettings {
  /** The largest page, in bytes of Markdown. */
  pageBytes?: number
  /** The most pages of a space. */
  pagesOfSpace?: number
}

let current: CoreSettings = {}

/** The settings of this thread; those that are absent have their defaults. */
export function coreSettings(): CoreSettings {
  return current
}

/** Changes settings of this thread, and with them those of all tasks that it gives to others. */
export function changeSettings(some: CoreSettings): void {
  current = { ...current, ...some }
}
