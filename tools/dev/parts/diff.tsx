import { diffBlocks } from '../../../src/core/content/edit/block-diff.ts'
import type { Block, Document } from '../../../src/core/document/model.ts'
import { BlockDiff, ComparedBlocks } from '../../../src/console/app/diff/block-diff.tsx'
import { KindLabel } from '../../../src/console/app/diff/kind-label.tsx'
import { blocksIn, ShownBlocks } from '../../../src/console/app/diff/shown/blocks.tsx'
// oxlint-disable-next-line import/no-unassigned-import
import '../../../src/console/app/diff/review.css'
import { BLOCKS } from '../../../test/core/document/every-block.ts'
import { heading, item, paragraph } from '../../../test/core/document/sample.ts'
import { Sample, say } from './sample.tsx'

/** A version of a page, whose blocks have the keys by which the differences name them. */
function version(nodes: readonly Block[]): Document {
  const document: Document = { object: 'document', data: {}, nodes: structuredClone([...nodes]) }
  let last = 0
  const name = (blocks: readonly Block[]) => {
    for (const block of blocks) {
      block.key = `block-${last++}`
      name(blocksIn(block))
    }
  }
  name(document.nodes)
  return document
}

const listOf = (...texts: string[]): Block => ({
  object: 'block',
  type: 'list-unordered',
  data: {},
  nodes: texts.map((text) => item(paragraph(text))),
})

/** Two versions of a page with each kind of change. */
function versions(): [before: Document, after: Document] {
  const still = [1, 2, 3, 4, 5].map((number) =>
    paragraph(say(`Paragraph ${number}, as it was before.`, `第 ${number} 段，与之前相同。`)),
  )
  const title = heading('heading-1', say('Installation', '安装'))
  const moved = paragraph(say('This paragraph goes to the end of the page.', '这一段移到页面末尾。'))
  const { hint, code, table, math } = BLOCKS
  const before = [
    title,
    moved,
    paragraph(say('You need Node 22 or newer, and npm.', '您需要 Node 22 或更高版本以及 npm。')),
    listOf(say('Linux', 'Linux 系统'), say('Windows', 'Windows 系统')),
    ...still,
    paragraph(say('This paragraph goes away.', '这一段被删除。')),
    hint.block,
    table.block,
  ]
  const after = [
    title,
    paragraph(
      say('You need Node 26 or newer, npm and a database.', '您需要 Node 26 或更高版本、npm 以及数据库。'),
    ),
    listOf(say('Linux', 'Linux 系统'), say('Windows', 'Windows 系统'), say('A phone', '手机')),
    ...still,
    { ...hint.block, data: { style: 'danger' as const } },
    code.block,
    { ...table.block, data: { ...table.block.data, records: withoutSecond(table.block.data.records) } },
    math.block,
    moved,
  ]
  return [version(before), version(after)]
}

const withoutSecond = <T,>(records: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(records).filter(([id]) => id !== 'r2'))

/** What differs between two versions, as reviewers see it. */
export function Diffs() {
  const [before, after] = versions()
  const changes = diffBlocks(before.nodes, after.nodes)
  return (
    <>
      <Sample name="BlockDiff: in one text">
        <BlockDiff before={before} after={after} changes={changes} view="inline" />
      </Sample>
      <Sample name="BlockDiff: beside each other">
        <BlockDiff before={before} after={after} changes={changes} view="split" />
      </Sample>
      <Sample name="ComparedBlocks">
        <ComparedBlocks before={before.nodes.slice(0, 4)} after={after.nodes.slice(0, 3)} />
      </Sample>
      <Sample name="ShownBlocks">
        <ShownBlocks blocks={after.nodes} />
      </Sample>
      <Sample name="KindLabel">
        {(['inserted', 'deleted', 'changed', 'moved'] as const).map((kind) => (
          <p key={kind}>
            <KindLabel kind={kind} />
          </p>
        ))}
      </Sample>
    </>
  )
}
