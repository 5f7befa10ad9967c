/** The differences of a page, block by block: in one text, or both versions beside each other. */
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { type BlockChange, diffBlocks, diffEffort } from '../../../core/content/edit/block-diff.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block, Document, Inline, Text } from '../../../core/document/model.ts'
import { t } from '../words.ts'
import { nameOfType } from '../editor/names.ts'
import { blocksIn, ShownBlocks, type TextMark } from './blocks.tsx'
import { ComparedTable, type Side } from './compared-table.tsx'
import { Folded, FoldsNothing } from './folded.tsx'
import { KindLabel, type UnitKind } from './kind-label.tsx'
import { type TableChanges, tablesIn } from './table-changes.ts'

export type DiffView = 'inline' | 'split'

/** What the differences are shown with. */
export interface DiffTools {
  /** What is below a block of the later version: comments on it, and the way to write one. */
  below(block: Block): ReactNode
  /** Whether something is said about a block, so that it is never folded away. */
  isDiscussed(key: string): boolean
  /** What takes a change of the page back; nothing if the caller cannot. */
  putBack?(index: number): ReactNode
}

interface Versions {
  before: ReadonlyMap<string, Block>
  after: ReadonlyMap<string, Block>
  /** The differences of tables, by their keys in the later version. */
  tables: ReadonlyMap<string, TableChanges>
  tools: DiffTools | undefined
}

const InVersions = createContext<Versions>({
  before: new Map(),
  after: new Map(),
  tables: new Map(),
  tools: undefined,
})

function byKey(blocks: readonly Block[], found = new Map<string, Block>()): Map<string, Block> {
  for (const block of blocks) {
    if (block.key !== undefined) found.set(block.key, block)
    byKey(blocksIn(block), found)
  }
  return found
}

function versionsOf(
  [was, is]: [readonly Block[], readonly Block[]],
  changes: readonly BlockChange[],
  effort = diffEffort(),
): Omit<Versions, 'tools'> {
  const [before, after] = [byKey(was), byKey(is)]
  return { before, after, tables: tablesIn(changes, { before, after }, effort) }
}

/** All blocks of a page that only one version has. */
export function wholePage(document: Document, change: 'inserted' | 'deleted'): BlockChange[] {
  return document.nodes.map(({ key = '' }) =>
    change === 'inserted' ? { change, after: key } : { change, before: key },
  )
}

/** The differences between two documents. A missing one is of a page that is new or deleted. */
export function BlockDiff({
  before,
  after,
  changes,
  view,
  tools,
}: {
  before: Document | undefined
  after: Document | undefined
  changes: readonly BlockChange[]
  view: DiffView
  tools?: DiffTools
}) {
  const versions = useMemo(
    () => versionsOf([before?.nodes ?? [], after?.nodes ?? []], changes),
    [before, after, changes],
  )
  return (
    <InVersions value={{ ...versions, tools }}>
      <div className={`diff ${view}`}>
        {view === 'split' && (
          <div className="diff-row diff-titles">
            <b>{t('Before')}</b>
            <b>{t('After')}</b>
          </div>
        )}
        <Sequence
          changes={changes}
          show={(one, index) => (
            <Row change={one} view={view} putBack={one.change !== 'same' && tools?.putBack?.(index)} />
          )}
        />
      </div>
    </InVersions>
  )
}

/** Two versions of a part of a page in one text, compared here. All of it is shown. */
export function ComparedBlocks({ before, after }: { before: readonly Block[]; after: readonly Block[] }) {
  const { changes, versions } = useMemo(() => {
    const effort = diffEffort()
    const found = diffBlocks(before, after, effort)
    return { changes: found, versions: versionsOf([before, after], found, effort) }
  }, [before, after])
  return (
    <FoldsNothing value>
      <InVersions value={{ ...versions, tools: undefined }}>
        <div className="diff">
          <Sequence changes={changes} show={(one) => <Change change={one} side="both" />} />
        </div>
      </InVersions>
    </FoldsNothing>
  )
}

function Row({ change, view, putBack }: { change: BlockChange; view: DiffView; putBack: ReactNode }) {
  if (view === 'inline')
    return (
      <div className="diff-row">
        <Change change={change} side="both" />
        {putBack}
      </div>
    )
  return (
    <div className="diff-row">
      <div>
        <Change change={change} side="before" />
      </div>
      <div>
        <Change change={change} side="after" />
        {putBack}
      </div>
    </div>
  )
}

/** Changes in order. */
function Sequence({
  changes,
  show,
}: {
  changes: readonly BlockChange[]
  show: (change: BlockChange, index: number) => ReactNode
}) {
  const { tools } = useContext(InVersions)
  const foldsNothing = useContext(FoldsNothing)
  return (
    <Folded
      all={changes}
      isQuiet={(one) => !foldsNothing && isQuiet(one, tools)}
      show={(one, index) => <Fragment key={index}>{show(one, index)}</Fragment>}
    />
  )
}

const isQuiet = (one: BlockChange, tools: DiffTools | undefined): boolean =>
  one.change === 'same' && !tools?.isDiscussed(one.after)

function Change({ change, side }: { change: BlockChange; side: Side }): ReactNode {
  const { before, after } = useContext(InVersions)
  const was = 'before' in change ? before.get(change.before) : undefined
  const is = 'after' in change ? after.get(change.after) : undefined
  switch (change.change) {
    case 'inserted':
      return is && side !== 'before' ? <Unit kind="inserted" block={is} isNow /> : null
    case 'deleted':
      return was && side !== 'after' ? <Unit kind="deleted" block={was} /> : null
    case 'same':
    case 'moved': {
      const shown = side === 'before' ? was : is
      return shown ? <Unit kind={change.change} block={shown} isNow={side !== 'before'} /> : null
    }
    default:
      if (!was || !is) return null
      return <ChangedBlock change={change} was={was} is={is} side={side} />
  }
}

function ChangedBlock({
  change: { moved, blocks, words },
  was,
  is,
  side,
}: {
  change: BlockChange & { change: 'changed' }
  was: Block
  is: Block
  side: Side
}) {
  const { tables, tools } = useContext(InVersions)
  const kind = moved ? 'moved' : 'changed'
  const table = tables.get(is.key ?? '')
  const inner = (changes: readonly BlockChange[]) => (
    <Sequence changes={changes} show={(one) => <Change change={one} side={side} />} />
  )
  // If only the look of a table differs, no row or column can show it.
  if (table?.isChanged)
    return (
      <div className="diff-inside of-table">
        {moved && <KindLabel kind="moved" />}
        <ComparedTable
          changes={table}
          side={side}
          show={inner}
          isQuiet={(changes) => changes.every((one) => isQuiet(one, tools))}
        />
      </div>
    )
  if (blocks)
    return (
      <div className={`diff-inside of-${is.type}`}>
        {moved && <KindLabel kind="moved" />}
        {!isListPart(is) && <span className="doc-kind">{t(nameOfType(is.type))}</span>}
        {inner(blocks)}
      </div>
    )
  // Formulas are no text, so their differences are not among the words.
  if (words && formulasIn(was) === formulasIn(is)) {
    const marks = marksOf(words, side, leafText(was))
    return <Unit kind={kind} block={side === 'before' ? was : is} marks={marks} isNow={side !== 'before'} />
  }
  return (
    <>
      {side !== 'after' && <Unit kind="deleted" block={was} />}
      {side !== 'before' && <Unit kind="inserted" block={is} isNow />}
    </>
  )
}

function formulasIn({ nodes = [] }: Pick<Inline, 'nodes'> | Block): string {
  return (nodes as readonly (Block | Inline | Text)[])
    .map((node) => {
      if (node.object === 'text') return ''
      return node.type === 'inline-math' ? `$${node.data.formula}$` : formulasIn(node)
    })
    .join('')
}

const isListPart = ({ type }: Block): boolean => type.startsWith('list-')

function marksOf(
  words: NonNullable<(BlockChange & { change: 'changed' })['words']>,
  side: Side,
  earlier: string,
): TextMark[] {
  return words.flatMap(({ before, after }): TextMark[] => {
    const [start, end] = side === 'before' ? before : after
    const gone = side === 'both' ? earlier.slice(before[0], before[1]) : ''
    if (start === end && gone === '') return []
    const kind = side === 'before' ? 'deleted' : 'inserted'
    return [{ start, end, kind, ...(gone === '' ? {} : { gone }) }]
  })
}

/** A block with what happened to it, and what is said about it. */
function Unit({
  kind,
  block,
  marks = [],
  isNow = false,
}: {
  kind: UnitKind
  block: Block
  marks?: readonly TextMark[]
  /** It is of the later version, which can be commented on. */
  isNow?: boolean
}) {
  const { tools } = useContext(InVersions)
  return (
    <div className={`unit ${kind}`}>
      <KindLabel kind={kind} />
      <div className="unit-text">
        <ShownBlocks blocks={[block]} marks={marks} />
      </div>
      {isNow && block.key !== undefined && tools?.below(block)}
    </div>
  )
}
