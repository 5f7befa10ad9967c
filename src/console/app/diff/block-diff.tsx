/** The differences of a page, block by block: in one text, or both versions beside each other. */
import { Fragment, type ReactNode, useContext, useMemo } from 'react'
import { type BlockChange, diffBlocks, diffEffort } from '../../../core/content/edit/block-diff.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block, Document } from '../../../core/document/model.ts'
import { t } from '../words/words.ts'
import { nameOfType } from '../content/schema/names.ts'
import { blocksIn, detailOf, ShownBlocks } from './shown/blocks.tsx'
import { type ChangedText, changedText, type Side } from './changed-text.tsx'
import { ComparedCards } from './compared-cards.tsx'
import { ComparedTable } from './compared-table.tsx'
import { Folded, FoldsNothing } from './folded.tsx'
import { WithSign } from './item-signs.tsx'
import { KindLabel, type UnitKind } from './kind-label.tsx'
import { settingChanges } from './setting-changes.ts'
import { SettingList } from './shown-setting.tsx'
import { type DiffTools, discussedIn, InVersions, useQuiet, versionsOf } from './versions.ts'

export type DiffView = 'inline' | 'split'

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
            <b>{t('common.before')}</b>
            <b>{t('common.after')}</b>
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
  const foldsNothing = useContext(FoldsNothing)
  const isQuiet = useQuiet()
  return (
    <Folded
      all={changes}
      isQuiet={(one) => !foldsNothing && isQuiet(one)}
      show={(one, index) => <Fragment key={index}>{show(one, index)}</Fragment>}
    />
  )
}

function Change({ change, side }: { change: BlockChange; side: Side }): ReactNode {
  const { before, after, signs } = useContext(InVersions)
  const was = 'before' in change ? before.get(change.before) : undefined
  const is = 'after' in change ? after.get(change.after) : undefined
  const shown = <ShownChange change={change} was={was} is={is} side={side} />
  const sign = signs.after.get((side !== 'before' && is?.key) || '') ?? signs.before.get(was?.key ?? '')
  if (sign === undefined || (side === 'before' ? !was : side === 'after' && !is)) return shown
  return <WithSign sign={sign}>{shown}</WithSign>
}

function ShownChange({
  change,
  was,
  is,
  side,
}: {
  change: BlockChange
  was: Block | undefined
  is: Block | undefined
  side: Side
}): ReactNode {
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

interface Changed {
  change: BlockChange & { change: 'changed' }
  was: Block
  is: Block
  side: Side
}

/** The blocks whose text is one of their settings, beside what they show. */
const WITH_CAPTION: readonly Block['type'][] = ['image', 'file', 'embed']

function ChangedBlock(changed: Changed) {
  const { tables } = useContext(InVersions)
  const { change, was, is, side } = changed
  if (tables.has(is.key ?? '')) return <ChangedTable {...changed} />
  if (change.blocks && !WITH_CAPTION.includes(is.type)) return <ChangedContainer {...changed} />
  const kind = change.moved ? 'moved' : 'changed'
  const text = changedIn(changed)
  const settings = [...settingChanges(was, is), ...text.settings]
  const isSeen = change.words !== undefined || settings.length + text.inlines.size > 0
  if (isSeen && is.type !== 'math')
    return (
      <Unit
        kind={kind}
        block={side === 'before' ? was : is}
        text={{ ...text, settings }}
        isNow={side !== 'before'}
        side={side}
      />
    )
  return (
    <>
      {side !== 'after' && <Unit kind="deleted" block={was} />}
      {side !== 'before' && <Unit kind="inserted" block={is} isNow />}
    </>
  )
}

const NOTHING: ChangedText = { marks: [], inlines: new Map(), settings: [] }

function changedIn({ change, was, is, side }: Changed): ChangedText {
  if (WITH_CAPTION.includes(is.type)) return NOTHING
  // The words are missing too if it takes too long to compare them.
  if (!change.words && leafText(was) !== leafText(is)) return NOTHING
  return changedText(was, is, change.words ?? [], side)
}

/** A block with blocks in it, of which some differ, or with other settings. */
function ChangedContainer({ change: { moved, blocks = [] }, was, is, side }: Changed) {
  const settings = settingChanges(was, is)
  const list = <SettingList changes={settings} side={side} />
  const shown = side === 'before' ? was : is
  return (
    <div className={`diff-inside of-${is.type}`}>
      {moved && <KindLabel kind="moved" />}
      {!isListPart(is) && (
        <span className="doc-kind">
          {settings.length > 0 && <KindLabel kind="changed" />}
          {t(nameOfType(is.type))} {detailOf(shown) && <code>{detailOf(shown)}</code>}
        </span>
      )}
      {is.type !== 'list-item' && list}
      <Sequence changes={blocks} show={(one) => <Change change={one} side={side} />} />
      {is.type === 'list-item' && list}
      <Said about={is} side={side} />
    </div>
  )
}

const isListPart = ({ type }: Block): boolean => type.startsWith('list-')

function ChangedTable({ change: { moved }, was, is, side }: Changed) {
  const { tables } = useContext(InVersions)
  const isQuiet = useQuiet()
  const table = tables.get(is.key ?? '')!
  const shown = side === 'before' ? was : is
  if (!table.isChanged)
    return (
      <Unit
        kind={moved ? 'moved' : 'changed'}
        block={shown}
        text={{ ...NOTHING, settings: table.settings }}
        isNow={side !== 'before'}
        side={side}
      />
    )
  const Compared = shown.type === 'table' && shown.data.view.type === 'cards' ? ComparedCards : ComparedTable
  return (
    <div className="diff-inside of-table">
      {moved && <KindLabel kind="moved" />}
      <SettingList changes={table.settings} side={side} />
      <Compared
        changes={table}
        side={side}
        show={(changes) => <Sequence changes={changes} show={(one) => <Change change={one} side={side} />} />}
        isQuiet={(changes) => changes.every(isQuiet)}
      />
      <Said about={is} side={side} />
    </div>
  )
}

/** The comments on a block whose parts are shown one by one. The blocks of a list item have tools themselves. */
function Said({ about, side }: { about: Block; side: Side }) {
  const { tools } = useContext(InVersions)
  if (side === 'before' || about.key === undefined || !tools) return null
  if (about.type === 'list-item' && !tools.isDiscussed(about.key)) return null
  return <div className="said">{tools.around(about)}</div>
}

/** A block with what happened to it, and what is said about it. */
function Unit({
  kind,
  block,
  text = NOTHING,
  isNow = false,
  side = 'both',
}: {
  kind: UnitKind
  block: Block
  text?: ChangedText
  /** It is of the later version, which can be commented on. */
  isNow?: boolean
  side?: Side
}) {
  const { tools } = useContext(InVersions)
  return (
    <div className={`unit ${kind}`}>
      <KindLabel kind={kind} />
      <div className="unit-text">
        <ShownBlocks blocks={[block]} marks={text.marks} inlines={text.inlines} />
      </div>
      <SettingList changes={text.settings} side={side} />
      {isNow && block.key !== undefined && tools?.below(block)}
      {isNow &&
        tools &&
        discussedIn(blocksIn(block), tools).map((inner) => (
          <Fragment key={inner.key}>{tools.within(inner)}</Fragment>
        ))}
    </div>
  )
}
