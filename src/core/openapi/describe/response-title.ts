/** What the title of a response says of its description. */
import { parseDescription } from '../../document/description.ts'
import { firstCondition } from '../../document/markdown/lookalikes.ts'
import { blockText } from '../../document/text.ts'

/** Characters of a description in a title. */
const LONGEST_TITLE = 80
/** Characters of its source that are read for that. */
const LONGEST_FIRST = 1_000

/**
 * The start of a description as text for a title, and whether it is all of the description. The title is the same for all
 * readers, so it has nothing of a description with conditions.
 */
export function startOfDescription(description: unknown): { start: string; isAll: boolean } {
  const written = typeof description === 'string' ? description.trim() : ''
  if (firstCondition(written) !== -1) return { start: '', isAll: false }
  const [first = ''] = written.split('\n', 1)
  const text = parseDescription(first.slice(0, LONGEST_FIRST)).map(blockText).join(' ').trim()
  return {
    start: text.slice(0, LONGEST_TITLE),
    isAll: written.length <= LONGEST_TITLE && !written.includes('\n'),
  }
}
