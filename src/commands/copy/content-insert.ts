/** Inserts what the target lacks of the content of a space: files, and reusable contents and pages without their texts. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanSlug } from '../../core/text/page-slug.ts'
import { uploadKey } from '../upload.ts'
import { type LabelledChange, sendChanges } from './content-batch.ts'
import type { TreePage } from './content-read.ts'
import { type Copying, reportLabel, reading, reportOn, writing } from './copying.ts'
import { downloadFromSource } from './download-file.ts'
import { fieldsIn, type JsonRecord, jsonRecord, segment, someText, jsonText } from './json.ts'
import type { CopiedSpace } from './places.ts'
import { contentKey, translateJson, type Translation } from './translate.ts'

/** Files are inserted in so many at once, so that a run that is killed has few of them to upload again. */
const FILES_AT_ONCE = 10

/** The content that is written: the path of the API, and the space of the source whose ids it has. */
export interface WrittenContent {
  base: string
  translation: Translation
}

/** The primary content of a space. */
export function primaryContent({ journal }: Copying, { id, target }: CopiedSpace): WrittenContent {
  return { base: `/spaces/${segment(target)}/content`, translation: { journal, space: id } }
}

/** Uploads and inserts the files that have no copy. */
export async function insertFiles(
  copying: Copying,
  { title, ...space }: CopiedSpace,
  files: readonly JsonRecord[],
  { base, translation } = primaryContent(copying, { title, ...space }),
): Promise<void> {
  const { journal } = copying
  const missing = files.filter(
    ({ id }) => journal.target('file', contentKey(space.id, jsonText(id))) === undefined,
  )
  for (let start = 0; start < missing.length; start += FILES_AT_ONCE) {
    copying.bar.show({ label: `Files of ${title}`, done: start, total: missing.length })
    const changes: LabelledChange[] = []
    for (const file of missing.slice(start, start + FILES_AT_ONCE)) {
      const what = `${reportLabel('Space', title)}, file ${jsonText(file.name)}`
      const upload = await uploadedFile(copying, what, file)
      if (upload === undefined) continue
      const name = jsonText(file.name).replaceAll(/[/\\]/g, '-') || 'file'
      const contentType = someText(file.contentType)
      const sentFile = { name, upload, ...(contentType === undefined ? {} : { contentType }) }
      changes.push({
        what,
        change: { operation: 'insert_files', files: [sentFile] },
        done: (id) => journal.record('file', contentKey(translation.space, jsonText(file.id)), id),
      })
    }
    await sendChanges(copying, base, changes)
  }
}

/** Takes a file from the source to an upload of the target. @returns the key of the upload; undefined if it was refused */
export async function uploadedFile(
  copying: Copying,
  what: string,
  file: JsonRecord,
): Promise<string | undefined> {
  const path = join(copying.folder, 'file')
  try {
    const isRead = await reading(copying, what, async () => {
      await downloadFromSource(copying, jsonText(file.downloadURL), path)
      return true
    })
    if (!isRead) return undefined
    return await writing(copying, what, () =>
      uploadKey(copying.target, copying.to, { file: path, name: 'file' }),
    )
  } finally {
    await rm(path, { force: true })
  }
}

/** Inserts the reusable contents that have no copy, without their texts. */
export async function insertReusables(
  copying: Copying,
  space: CopiedSpace,
  reusables: readonly JsonRecord[],
  { base, translation } = primaryContent(copying, space),
): Promise<void> {
  const { journal } = copying
  const changes = reusables.flatMap(({ id, title }): LabelledChange[] => {
    const key = contentKey(translation.space, jsonText(id))
    if (journal.target('reusable', key) !== undefined) return []
    return [
      {
        what: `${reportLabel('Space', space.title)}, reusable content ${jsonText(title)}`,
        change: { operation: 'insert_reusable_content', document: {}, title: someText(title) ?? 'Untitled' },
        done: (made) => journal.record('reusable', key, made),
      },
    ]
  })
  await sendChanges(copying, base, changes)
}

/** The fields of a page that its text does not decide alone. */
export const COPIED_FIELDS = [
  'title',
  'linkTitle',
  'emoji',
  'icon',
  'description',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'variables',
] as const

const GROUP_FIELDS: readonly string[] = COPIED_FIELDS.filter(
  (name) => name !== 'description' && name !== 'variables',
)
const LINK_FIELDS = ['title', 'linkTitle', 'emoji', 'icon', 'hidden', 'condition']
/** The target of a link until its page has a copy. */
const PENDING = { kind: 'url', url: 'https://pending.invalid/' }

/**
 * Inserts the pages that have no copy, without their texts: each level after the one above, because of the ids.
 * @param places the indices of pages among their siblings, for a tree that has others; by default, each is the last
 */
export async function insertPages(
  copying: Copying,
  space: CopiedSpace,
  pages: readonly TreePage[],
  content = primaryContent(copying, space),
  places?: ReadonlyMap<string, number>,
): Promise<void> {
  const { journal } = copying
  const { translation, base } = content
  const copyOf = (id: string) => journal.target('page', contentKey(translation.space, id))
  let waiting = pages.filter(({ id }) => copyOf(id) === undefined)
  while (waiting.length > 0) {
    copying.bar.show({
      label: `Pages of ${space.title}`,
      done: pages.length - waiting.length,
      total: pages.length,
    })
    const ready = waiting.filter(({ parent }) => parent === undefined || copyOf(parent) !== undefined)
    if (ready.length === 0) break
    const changes = ready.flatMap(({ id, page, parent }): LabelledChange[] => {
      const what = `${reportLabel('Space', space.title)}, ${reportLabel('page', jsonText(page.title))}`
      const change = insertion(page, parent === undefined ? undefined : copyOf(parent), translation)
      if (!change) {
        reportOn(
          copying,
          'unwritten',
          what,
          `is a page of the type “${jsonText(page.type)}”, which the API cannot write`,
        )
        return []
      }
      const key = contentKey(translation.space, id)
      const at = places?.get(id)
      return [
        {
          what,
          change: { ...change, ...(at === undefined ? {} : { at }) },
          done: (made) => journal.record('page', key, made),
        },
      ]
    })
    await sendChanges(copying, base, changes)
    const left = new Set(ready)
    waiting = waiting.filter((page) => !left.has(page))
  }
  for (const { page } of waiting)
    reportOn(
      copying,
      'unwritten',
      `${reportLabel('Space', space.title)}, ${reportLabel('page', jsonText(page.title))}`,
      'the page above it has no copy',
    )
}

function insertion(
  page: JsonRecord,
  parent: string | undefined,
  translation: Translation,
): JsonRecord | undefined {
  const into = parent === undefined ? {} : { into: parent }
  const title = someText(page.title) ?? 'Untitled'
  const slug = someText(page.slug)
  const names = slug === undefined ? { title } : { title, slug: cleanSlug(slug) }
  const type = someText(page.type) ?? 'document'
  if (type === 'group') {
    if (parent !== undefined)
      return { operation: 'insert_page', document: {}, ...fieldsIn(page, GROUP_FIELDS), ...names, ...into }
    return { operation: 'insert_group', ...fieldsIn(page, GROUP_FIELDS), ...names }
  }
  if (type === 'link') {
    const target = translateJson(jsonRecord(page.target), translation) as JsonRecord
    const isKnown = target.kind === 'url' || target.page !== jsonRecord(page.target).page
    return {
      operation: 'insert_link',
      ...fieldsIn(page, LINK_FIELDS),
      title,
      target: isKnown && target.kind !== undefined ? target : PENDING,
      ...into,
    }
  }
  if (type !== 'document') return undefined
  return { operation: 'insert_page', document: {}, ...fieldsIn(page, COPIED_FIELDS), ...names, ...into }
}
