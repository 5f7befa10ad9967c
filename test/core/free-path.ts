/** Repository paths for what the edits of a test add. */

/** A path that no other has: a side gives none twice, as a batch does not. */
export function freePath<K extends string>(
  records: ReadonlyMap<string, { readonly [P in K]?: string }>,
  key: K,
  path: string,
): string {
  const taken = new Set([...records.values()].map((record) => record[key]))
  let free = path
  for (let n = 1; taken.has(free); n++) free = path.replace(/(?=\.[^.]*$)/, `-${n}`)
  return free
}
