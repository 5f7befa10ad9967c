import { ID_PATTERN } from '../../core/data/id.ts'

/** So many users can be mentioned in one body. */
const MOST_MENTIONS = 20

const ID = ID_PATTERN.replace(/^\^|\$$/g, '')
/** A mention of a user in Markdown: `[Ada](/users/<id> "mention")`, which is how the editor's mention is stored. */
const MENTION = new RegExp(`\\]\\(/users/(${ID}) "mention"\\)`, 'g')

/** The ids of the users whom the Markdown of a comment or reply mentions, each once. */
export function mentionsIn(body: string): string[] {
  const found = new Set<string>()
  for (const [, user = ''] of body.matchAll(MENTION)) {
    found.add(user)
    if (found.size === MOST_MENTIONS) break
  }
  return [...found]
}
