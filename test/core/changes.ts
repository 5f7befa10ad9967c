/** The differences between two contents of a test. */
import { jsonEqual } from '../../src/core/data/json.ts'
import type { EntryChange } from '../../src/core/content/prolly-tree/read.ts'

/** The differences between two maps of records, as `diff` of `prolly-tree/` reports them. */
export function changesOf<V>(
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
): EntryChange<V>[] {
  const changes: EntryChange<V>[] = []
  for (const key of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [a, b] = [before.get(key), after.get(key)]
    if (jsonEqual(a, b)) continue
    changes.push({ key, ...(a === undefined ? {} : { before: a }), ...(b === undefined ? {} : { after: b }) })
  }
  return changes
}
