/** What takes long to start and serves all files of a group, such as a browser. It ends with the process of the group. */

let isInGroup = false
const endings: (() => Promise<void>)[] = []

/** Lets the files that this process runs from now on share what they start. */
export function beginSharing(): void {
  isInGroup = true
}

/** Whether a file of this process may leave what it has started to the next one. A file that runs alone may not. */
export function isSharing(): boolean {
  return isInGroup
}

/** Ends something after the last file of the group. */
export function atEndOfGroup(end: () => Promise<void>): void {
  endings.push(end)
}

/** Ends what the files have shared. */
export async function endSharing(): Promise<void> {
  await Promise.all(endings.splice(0).map((end) => end()))
}
