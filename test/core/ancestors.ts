import assert from 'node:assert/strict'
import type { Content } from './histories.ts'

/** Whether `id` is `page`, or below it. Fails if the pages form a cycle, in which the walk would never end. */
export function isBelow({ pages }: Content, id: string | null, page: string): boolean {
  let steps = 0
  for (let above = id; above !== null; above = pages.get(above)!.parent) {
    if (above === page) return true
    assert((steps += 1) <= pages.size, 'the pages form a tree')
  }
  return false
}
