/** Writes what a change request changes: the differences between its base and its content. */
import { isDeepStrictEqual } from 'node:util'
import { type LabelledChange, sendChanges } from './content-batch.ts'
import { CLEARED, SETTINGS, type TextSource, writeReusable, writeTexts } from './content-bodies.ts'
import {
  insertFiles,
  insertPages,
  insertReusables,
  COPIED_FIELDS,
  uploadedFile,
  type WrittenContent,
} from './content-insert.ts'
import { adoptContent } from './content-match.ts'
import { type TreePage, placedPages, type ReadContent, readContent } from './content-read.ts'
import { type Copying, doneOnce, reportLabel, writing } from './copying.ts'
import { type JsonRecord, jsonText } from './json.ts'
import type { CopiedSpace } from './places.ts'
import { contentKey, translateJson, type Translation } from './translate.ts'

/** A change request of the source with its copy. */
export interface CopiedChangeRequest {
  /** The path in the API of the source. */
  from: string
  /** The path of the copy in the API of the target. */
  to: string
  what: string
  fields: JsonRecord
  space: CopiedSpace
}

/** A change request of the source: what it changes, and its content. */
interface Proposal {
  base: ReadContent
  content: ReadContent
}

/** Writes the changes: what is new, what has moved or changed, the texts, and at last what is deleted. */
export async function writeProposal(
  copying: Copying,
  changeRequest: CopiedChangeRequest,
  { base, content }: Proposal,
): Promise<void> {
  const { journal } = copying
  const { space, to, from, what } = changeRequest
  const written: WrittenContent = { base: `${to}/content`, translation: { journal, space: space.id } }
  const made = await writing(copying, what, () => readContent(copying.target, written.base))
  if (!made) return
  adoptContent(journal, space.id, { content, made })

  const [before, after] = [byId(placedPages(base.pages)), placedPages(content.pages)]
  await insertFiles(copying, space, added(base.files, content.files), written)
  await insertReusables(copying, space, added(base.reusables, content.reusables), written)
  const places = indices(content.pages)
  const isNew = ({ id }: TreePage) => !before.has(id)
  const inserted = after.filter(isNew)
  await insertPages(copying, space, inserted, written, places)
  const step = `change request ${jsonText(changeRequest.fields.id)}`
  await doneOnce(copying, `fields of ${step}`, () =>
    sendChanges(copying, written.base, [
      ...fieldChanges(changeRequest, { before, after, places, translation: written.translation }),
      ...reusableTitles(changeRequest, { base, content }, written.translation),
      ...nameChanges(what, { base, content }, written.translation),
    ]),
  )
  await doneOnce(copying, `files of ${step}`, async () =>
    sendChanges(copying, written.base, await changedFiles(copying, changeRequest, { base, content })),
  )

  const source: TextSource = {
    base: `${from}/content`,
    isMarkdown: journal.target('archive', space.id) === 'imported',
    space,
    steps: step,
  }
  const rewritten = after.filter(({ id, page }) => {
    const isChanged = page.type === 'document' && page.documentId !== before.get(id)?.page.documentId
    return isChanged && !journal.isDone(`text ${step}/${id}`)
  })
  await writeTexts(copying, source, written, rewritten)
  const documents = new Map(base.reusables.map(({ id, document }) => [id, document]))
  for (const { id, document } of content.reusables)
    if (documents.get(id) !== document)
      await doneOnce(copying, `text ${step}/${jsonText(id)}`, () =>
        writeReusable(copying, source, written, jsonText(id)),
      )
  await doneOnce(copying, `deletions of ${step}`, async () => {
    // An earlier run may have deleted them.
    const present = await writing(copying, what, () => readContent(copying.target, written.base))
    const deleted = deletions(changeRequest, { base, content }, written.translation)
    if (present) await sendChanges(copying, written.base, deleted(idsIn(present)))
  })
}

const byId = (pages: readonly TreePage[]) => new Map(pages.map((page) => [page.id, page]))

function added(before: readonly JsonRecord[], after: readonly JsonRecord[]): JsonRecord[] {
  const known = new Set(before.map(({ id }) => id))
  return after.filter(({ id }) => !known.has(id))
}

/** The index of each page among its siblings. */
function indices(pages: readonly JsonRecord[]): Map<string, number> {
  const siblings = Map.groupBy(placedPages(pages), ({ parent }) => parent)
  return new Map([...siblings.values()].flatMap((some) => some.map(({ id }, index) => [id, index])))
}

/** The changes of fields and of places. */
function fieldChanges(
  { what }: CopiedChangeRequest,
  {
    before,
    after,
    places,
    translation,
  }: {
    before: ReadonlyMap<string, TreePage>
    after: readonly TreePage[]
    places: ReadonlyMap<string, number>
    translation: Translation
  },
): LabelledChange[] {
  const copyOf = (id: string) => translation.journal.target('page', contentKey(translation.space, id))
  const moved = movedPages(before, after)
  return after.flatMap((placed): LabelledChange[] => {
    const { id, page, parent } = placed
    const [target, old] = [copyOf(id), before.get(id)]
    if (target === undefined || !old) return []
    const names = [...COPIED_FIELDS, ...SETTINGS, 'slug', 'layout'].filter(
      (name) => !isDeepStrictEqual(page[name], old.page[name]),
    )
    const fields = Object.fromEntries(
      names.map((name) => [name, translateJson(page[name], translation) ?? CLEARED[name] ?? null]),
    )
    const into = parent === undefined ? null : copyOf(parent)
    const place = moved.has(id) && into !== undefined ? { into, at: places.get(id) ?? 0 } : {}
    if (names.length === 0 && Object.keys(place).length === 0) return []
    const change = { operation: 'update_page', page: target, ...fields, ...place }
    return [{ what: `${what}, ${reportLabel('page', jsonText(page.title))}`, change }]
  })
}

/** The pages that have another parent, or are in another order. */
function movedPages(before: ReadonlyMap<string, TreePage>, after: readonly TreePage[]): ReadonlySet<string> {
  const moved = new Set<string>()
  const orderBefore = new Map([...before.keys()].map((id, index) => [id, index]))
  for (const siblings of Map.groupBy(after, ({ parent }) => parent).values()) {
    const stayed = siblings.filter(({ id, parent }) => before.has(id) && before.get(id)?.parent === parent)
    const places = stayed.map(({ id }) => orderBefore.get(id) ?? 0)
    const isInOrder = places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
    for (const { id, parent } of siblings)
      if (before.has(id) && (before.get(id)?.parent !== parent || !isInOrder)) moved.add(id)
  }
  return moved
}

/** The changes of the titles of reusable contents. */
function reusableTitles(
  { what }: CopiedChangeRequest,
  { base, content }: Proposal,
  { journal, space }: Translation,
): LabelledChange[] {
  const before = new Map(base.reusables.map(({ id, title }) => [id, title]))
  return content.reusables.flatMap(({ id, title }): LabelledChange[] => {
    const reusableContent = journal.target('reusable', contentKey(space, jsonText(id)))
    if (reusableContent === undefined || !before.has(id) || before.get(id) === title) return []
    const change = { operation: 'update_reusable_content', reusableContent, title }
    return [{ what: `${what}, reusable content ${jsonText(title)}`, change }]
  })
}

/** The changes of variables and redirects. */
function nameChanges(what: string, { base, content }: Proposal, translation: Translation): LabelledChange[] {
  return (['variables', 'redirects'] as const).flatMap((kind): LabelledChange[] => {
    const [old, now] = [base[kind], content[kind]]
    const names = new Set([...Object.keys(old), ...Object.keys(now)])
    const changed = [...names].filter((name) => !isDeepStrictEqual(old[name], now[name]))
    if (changed.length === 0) return []
    const values = changed.map((name) => [name, translateJson(now[name], translation) ?? null])
    return [
      {
        what: `${what}, ${kind}`,
        change: { operation: `update_${kind}`, [kind]: Object.fromEntries(values) },
      },
    ]
  })
}

/** The files that have another name or other bytes. The address of a file has the hash of its bytes. */
async function changedFiles(
  copying: Copying,
  { what, space }: CopiedChangeRequest,
  { base, content }: Proposal,
): Promise<LabelledChange[]> {
  const before = new Map(base.files.map((file) => [file.id, file]))
  const changes: LabelledChange[] = []
  for (const file of content.files) {
    const old = before.get(file.id)
    const target = copying.journal.target('file', contentKey(space.id, jsonText(file.id)))
    if (!old || target === undefined || isDeepStrictEqual(shownFile(old), shownFile(file))) continue
    const label = `${what}, file ${jsonText(file.name)}`
    const isRenamed = old.name !== file.name
    const isWritten = old.size !== file.size || pathOfAddress(old) !== pathOfAddress(file)
    const upload = isWritten ? await uploadedFile(copying, label, file) : undefined
    const change = {
      operation: 'update_file',
      file: target,
      ...(isRenamed ? { name: jsonText(file.name) } : {}),
      ...(upload === undefined ? {} : { upload }),
    }
    if (isRenamed || upload !== undefined) changes.push({ what: label, change })
  }
  return changes
}

const shownFile = (file: JsonRecord) => [file.name, file.size, pathOfAddress(file)]

/** The path of an address without the name of the file at its end. */
function pathOfAddress({ downloadURL }: JsonRecord): string {
  const address = jsonText(downloadURL)
  return URL.canParse(address) ? new URL(address).pathname.replace(/[^/]*$/, '') : address
}

function idsIn({ pages, files, reusables }: ReadContent): ReadonlySet<unknown> {
  const records = [...placedPages(pages), ...files, ...reusables]
  return new Set(records.map(({ id }) => id))
}

/**
 * The deletions: of a page that is deleted with those below it, only the page itself.
 * @returns those of what is present, by the ids of the target
 */
function deletions(
  { what }: CopiedChangeRequest,
  { base, content }: Proposal,
  { journal, space }: Translation,
): (present: ReadonlySet<unknown>) => LabelledChange[] {
  const left = new Set(placedPages(content.pages).map(({ id }) => id))
  const pages = placedPages(base.pages)
    .filter(({ id, parent }) => !left.has(id) && (parent === undefined || left.has(parent)))
    .map(({ page }) => page)
  const kinds = [
    ['page', pages, (page: string) => ({ operation: 'delete_page', page })],
    [
      'file',
      added(content.files, base.files),
      (file: string) => ({ operation: 'delete_files', files: [file] }),
    ],
    [
      'reusable',
      added(content.reusables, base.reusables),
      (reusableContent: string) => ({ operation: 'delete_reusable_content', reusableContent }),
    ],
  ] as const
  return (present) =>
    kinds.flatMap(([kind, records, change]) =>
      records.flatMap(({ id, title, name }): LabelledChange[] => {
        const copy = journal.target(kind, contentKey(space, jsonText(id)))
        if (copy === undefined || !present.has(copy)) return []
        return [
          { what: `${what}, ${reportLabel(kind, jsonText(title) || jsonText(name))}`, change: change(copy) },
        ]
      }),
    )
}
