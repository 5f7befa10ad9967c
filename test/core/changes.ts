/** What changed between two contents of a test. */
import { canonical } from '../../src/core/map-node.ts'
import type { Change } from '../../src/core/map.ts'

/** How one map of records differs from another, as `diff` of `map.ts` tells it. */
export function changesOf<V>(before: ReadonlyMap<string, V>, after: ReadonlyMap<string, V>): Change<V>[] {
  const changes: Change<V>[] = []
  for (const key of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [a, b] = [before.get(key), after.get(key)]
    if (textOf(a) === textOf(b)) continue
    changes.push({ key, ...(a === undefined ? {} : { before: a }), ...(b === undefined ? {} : { after: b }) })
  }
  return changes
}

function textOf(record: unknown): string {
  return JSON.stringify(canonical(record ?? null))
}
