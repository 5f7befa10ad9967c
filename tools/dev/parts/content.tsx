import type { Block, Document } from '../../../src/core/document/model.ts'
import { contents } from '../../../src/core/document/shape/shapes.ts'
import { PageName } from '../../../src/console/app/content/tree/page-name.tsx'
import { PageTree } from '../../../src/console/app/content/tree/page-tree.tsx'
import { PageView } from '../../../src/console/app/content/views/page-view.tsx'
import { BLOCKS } from '../../../test/core/document/every-block.ts'
import { CONTENT } from './answers.ts'
import { Sample, say } from './sample.tsx'

/** The block with files of this page as its pictures. Its sample names pictures that do not exist. */
function withFiles<B extends Block>(block: B): B {
  const text = JSON.stringify(block, (_, value: unknown) => {
    const { kind, url } = (value ?? {}) as { kind?: unknown; url?: unknown }
    if (kind !== 'url' || typeof url !== 'string' || !url.endsWith('.png')) return value
    return { kind: 'file', file: url.includes('dark') ? 'dark' : 'picture' }
  })
  return JSON.parse(text) as B
}

/** A block of each type that can stand alone. The others are in them. */
const EVERY_BLOCK = Object.values(BLOCKS)
  .map(({ block }): Block => withFiles(block))
  .filter(({ type }) => contents[type].member !== true)

const documentOf = (nodes: Block[]): Document => ({ object: 'document', data: {}, nodes })

const ALL = EVERY_BLOCK.map((block) => ({ type: block.type, document: documentOf([block]) }))

/** Pages as readers see them: their tree, and each type of block. */
export function Content() {
  const entry = { parent: null, children: 0, type: 'document' } as const
  return (
    <>
      <Sample name="PageTree">
        <PageTree
          content={CONTENT}
          currentPath="install/linux"
          current="linux"
          addressOf={({ path = '' }) => `/~parts#${path}`}
        />
      </Sample>
      <Sample name="PageName: with an emoji, with an icon, a link, hidden, without a title">
        <p>
          <PageName page={{ ...entry, id: 'a', title: say('Welcome', '欢迎'), emoji: '1f44b' }} />
        </p>
        <p>
          <PageName page={{ ...entry, id: 'b', title: say('Install', '安装'), icon: 'download' }} />
        </p>
        <p>
          <PageName page={{ ...entry, id: 'c', title: say('Our site', '我们的网站'), type: 'link' }} />
        </p>
        <p>
          <PageName page={{ ...entry, id: 'd', title: say('Checklist', '清单'), hidden: true }} />
        </p>
        <p>
          <PageName page={{ ...entry, id: 'e', title: '' }} />
        </p>
      </Sample>
      {ALL.map(({ type, document }) => (
        <Sample key={type} name={`PageView: ${type}`}>
          <PageView document={document} content={CONTENT} />
        </Sample>
      ))}
    </>
  )
}
