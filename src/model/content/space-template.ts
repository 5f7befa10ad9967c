/** Templates: spaces with pages to begin with. */
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import type { Row, Tx } from '../../db/schema.ts'
import { oneOf } from '../common.ts'
import { type NewPage, writeNewPages } from './new-pages.ts'

/** The ids of the templates. Each is also the name of the folder with the pages. */
export const TEMPLATE_IDS = [
  'api-reference',
  'changelog',
  'handbook',
  'help-centre',
  'product-documentation',
  'runbook',
] as const

type TemplateId = (typeof TEMPLATE_IDS)[number]

export const SpaceTemplate = Type.Object(
  {
    object: oneOf(['space-template']),
    id: oneOf(TEMPLATE_IDS),
    title: Type.String({ description: 'The title of a space that is created from the template' }),
    description: Type.String(),
    emoji: Type.String(),
    pages: Type.Integer({ description: 'The number of pages' }),
  },
  { title: 'SpaceTemplate' },
)
type SpaceTemplate = Static<typeof SpaceTemplate>

interface Content extends Pick<SpaceTemplate, 'title' | 'description' | 'emoji'> {
  /** The files of the pages, in their order, each with its emoji. */
  files: readonly (readonly [file: string, emoji: string])[]
}

const CONTENTS: Readonly<Record<TemplateId, Content>> = {
  'api-reference': {
    title: 'API reference',
    description: 'Authentication, errors, paging, and operations with examples',
    emoji: '1f9e9',
    files: [
      ['README.md', '1f44b'],
      ['authentication.md', '1f511'],
      ['paging-and-limits.md', '1f4d1'],
      ['errors.md', '26a0'],
      ['warehouses.md', '1f3ed'],
    ],
  },
  changelog: {
    title: 'Changelog',
    description: 'What is new in each version, and what comes next',
    emoji: '1f4e3',
    files: [
      ['README.md', '2728'],
      ['roadmap.md', '1f5fa'],
      ['archive.md', '1f5c4'],
    ],
  },
  handbook: {
    title: 'Handbook',
    description: 'How your organization works: the first week, time off, decisions',
    emoji: '1f4d7',
    files: [
      ['README.md', '1f44b'],
      ['people/README.md', '1f465'],
      ['people/first-week.md', '1f331'],
      ['people/time-off.md', '1f334'],
      ['work/README.md', '1f6e0'],
      ['work/decisions.md', '2696'],
      ['work/meetings.md', '1f4ac'],
    ],
  },
  'help-centre': {
    title: 'Help centre',
    description: 'Answers for customers, by subject',
    emoji: '1f6df',
    files: [
      ['README.md', '1f6df'],
      ['account.md', '1f464'],
      ['orders.md', '1f4e6'],
      ['billing.md', '1f9fe'],
    ],
  },
  'product-documentation': {
    title: 'Product documentation',
    description: 'A quick start, guides, and a reference',
    emoji: '1f4d8',
    files: [
      ['README.md', '1f44b'],
      ['get-started/README.md', '1f680'],
      ['get-started/install.md', '1f4e5'],
      ['get-started/quick-start.md', '26a1'],
      ['guides/README.md', '1f9ed'],
      ['guides/count-stock.md', '1f4cb'],
      ['guides/problems.md', '1fa79'],
      ['reference/README.md', '1f4da'],
      ['reference/settings.md', '2699'],
    ],
  },
  runbook: {
    title: 'Runbook',
    description: 'What to do when something breaks: incidents, alerts, restoring',
    emoji: '1f692',
    files: [
      ['README.md', '1f692'],
      ['incidents.md', '1f6a8'],
      ['high-load.md', '1f4c8'],
      ['restore.md', '1f4be'],
    ],
  },
}

/** All templates, in the order of their ids. */
export const SPACE_TEMPLATES: readonly SpaceTemplate[] = TEMPLATE_IDS.map((id) => {
  const { files, ...shown } = CONTENTS[id]
  return { object: 'space-template', id, ...shown, pages: files.length }
})

/** The title and the emoji of a space that is created from a template. */
export function templateFields(id: TemplateId): Pick<SpaceTemplate, 'title' | 'emoji'> {
  const { title, emoji } = CONTENTS[id]
  return { title, emoji }
}

/** The pages of a template. Their titles are their first headings. */
function pagesOfTemplate(id: TemplateId): NewPage[] {
  return CONTENTS[id].files.map(([file, emoji]) => {
    const source = readFileSync(new URL(`./templates/${id}/${file}`, import.meta.url), 'utf8')
    const [heading = ''] = source.split('\n', 1)
    return { file, emoji, title: heading.replace(/^# /, ''), source }
  })
}

/** Writes the pages of a template into a new, empty space. */
export async function fillFromTemplate(
  tx: Tx,
  space: Row<'space'>,
  id: TemplateId,
  by: { userId: string; now: Date; newId: () => string },
): Promise<void> {
  await writeNewPages(tx, space, pagesOfTemplate(id), { message: templateFields(id).title, ...by })
}
