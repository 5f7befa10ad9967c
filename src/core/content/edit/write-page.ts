/** Writes the text of a page, based on the revision that the writer has read. */
import { needItem } from '../../data/lists.ts'
import { diffSequences } from '../line-merge.ts'
import { sourceProblem } from '../limits.ts'
import type { PageRecord, ReusableRecord } from '../revision.ts'
import type { Block, ContentRef } from '../../document/model.ts'
import { type DocumentLinks, linksOf } from '../../document/links/links-in.ts'
import { normalText } from '../../document/normal-form.ts'
import { parsePage } from '../../document/parse.ts'
import { mapReferences, referenceKey } from '../../document/links/references.ts'
import { toDocument } from '../../document/to-document.ts'
import { type ReadingProblem, readingProblems } from '../../document/shown/unshown.ts'
import { type BlockEntry, editBlocks, type EntryFault } from './edit-blocks.ts'
import { mergeWrites } from './merge-writes.ts'
import type { TextConflict } from './three-writes.ts'
import type { WrittenBlock } from './written-block.ts'
import { because } from '../../languages/reasons.ts'
import { faultParameters } from '../../languages/reasoned.ts'

/** A page or reusable content of a revision. */
export interface PageVersion {
  record: PageRecord | ReusableRecord
  source: string
  /** The resolved references of the source, by `referenceKey`. */
  references: ReadonlyMap<string, ContentRef>
}

/** A page as it is, and as the writer has read it; without `base`, the writer overwrites what is there. */
export interface WritingTo {
  /** Absent if the page was deleted since. */
  current?: PageVersion
  base?: PageVersion
  /** The revision that the writer names although it does not have the page. */
  unread?: string
}

/** The text to write: blocks, or the whole Markdown. */
export type NewText = { entries: readonly BlockEntry[] } | { markdown: string }

/** The text of a page after a write. */
export interface WrittenPage {
  source: string
  links: DocumentLinks
  /** What is not shown as its author meant it. */
  problems: readonly ReadingProblem[]
  /** Present if the writer sent blocks. */
  blocks?: WrittenBlock[]
}

/** Writes a text to a page. @param name the title of the page, for messages */
export function writePage(
  name: string,
  current: PageVersion,
  base: PageVersion,
  text: NewText,
): WrittenPage | EntryFault | { conflicts: TextConflict[] } {
  const references = new Map([...current.references, ...base.references])
  const edited =
    'entries' in text
      ? editBlocks({ ...text, source: base.source, references, mergedWith: current.source })
      : undefined
  if (edited && 'message' in edited) return edited
  const mine = edited ? edited.source : 'markdown' in text ? text.markdown : ''
  const merged =
    current.source === base.source
      ? { text: mine }
      : mergeWrites({ base: base.source, theirs: current.source, mine })
  if ('conflicts' in merged) return merged
  const problem = sourceProblem(name, merged.text)
  if (problem !== undefined) return { entry: -1, ...problem }
  const read = parsePage(merged.text)
  if (read.excess !== undefined)
    return { entry: -1, ...because('page-beyond-limit', faultParameters(read.excess)) }
  const links = linksOf(read, merged.text)
  const problems = readingProblems(read, merged.text)
  if (!edited) return { source: merged.text, links, problems }
  const resolve = (ref: ContentRef) => references.get(referenceKey(ref)) ?? ref
  const after = mapReferences(read.document, resolve)
  const own = merged.text === mine ? after : mapReferences(parsePage(mine).document, resolve)
  return {
    source: merged.text,
    links,
    problems,
    blocks: blocksAfter(own.nodes, after.nodes, edited.entryOf),
  }
}

/** @param entryOf the entry of each of the writer's own blocks; -1 for the definition of a footnote */
function blocksAfter(
  own: readonly Block[],
  after: readonly Block[],
  entryOf: readonly number[],
): WrittenBlock[] {
  // Nothing to compare if nobody else has written: the comparison would cost as much as the rest of the write.
  const hunks =
    own === after ? [] : diffSequences(own.map(normalText), after.map(normalText), { left: 10_000_000 })
  const written: WrittenBlock[] = []
  let [inOwn, inAfter] = [0, 0]
  const same = (to: number) => {
    for (; inAfter < to; inAfter++, inOwn++) {
      const [entry = -1, block] = [entryOf[inOwn], needItem(after, inAfter)]
      written.push(entry === -1 ? { block: shown(block) } : { entry, key: block.key ?? '' })
    }
  }
  for (const { aEnd, bStart, bEnd } of hunks) {
    same(bStart)
    for (const block of after.slice(inAfter, bEnd)) written.push({ block: shown(block) })
    inAfter = bEnd
    inOwn = aEnd
  }
  same(after.length)
  return written
}

/** A block as the API shows it. */
const shown = (block: Block) =>
  needItem(toDocument({ object: 'document', data: {}, nodes: [block] }).nodes, 0)
