/** Contents and random histories of edits on them, of the kinds that a batch makes, for tests of the laws of merging. */
import { isBelow } from './ancestors.ts'
import fc from 'fast-check'

import { editFrontMatter, frontMatterOf } from '../../src/core/document/front-matter/front-matter.ts'
import type { PageMeta } from '../../src/core/document/model.ts'
import { replaceSpans, retitle } from '../../src/core/document/splice.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { documentHash, gitObjectId } from '../../src/core/content/hash.ts'
import { canonical } from '../../src/core/data/json.ts'
import type { ContentChanges, Side, Snapshot } from '../../src/core/content/merge/model.ts'
import { insertAt } from '../../src/core/content/tree/order.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../src/core/content/revision.ts'
import { freePathIn, freeReusablePath } from './free-path.ts'
import { indexTree } from '../../src/core/content/tree/tree.ts'
import { uniqueSlug } from '../../src/core/content/tree/rules.ts'
import { changesOf } from './changes.ts'
import { commented, emptied, withoutBlock } from './source-edits.ts'

/** A content that edits change in place, with the sources of its documents. */
export interface Content {
  pages: Map<string, PageRecord>
  files: Map<string, FileRecord>
  reusables: Map<string, ReusableRecord>
  variables: Record<string, string | number | boolean>
  redirects: Record<string, string>
  /** Shared by all contents of a history: sources by hash. */
  sources: Map<string, string>
  /** A prefix for the names and words that this side adds. */
  name: string
  made: number
}

/** One edit: its kind, its target and its parameters, as numbers that are taken modulo the number of choices. */
export interface Edit {
  kind: (typeof KINDS)[number]
  on: number
  at: number
  how: number
}

const KINDS = [
  'insertPage',
  'editBlock',
  'insertBlock',
  'deleteBlock',
  'retitle',
  'meta',
  'field',
  'key',
  'comment',
  'slug',
  'move',
  'move',
  'deletePage',
  'empty',
  'file',
  'deleteFile',
  'reusable',
  'deleteReusable',
  'variable',
  'redirect',
] as const

/** Edits of the given kinds. Most target a few records, so that both sides meet. */
function someEdits(kinds: readonly Edit['kind'][], things: number, most: number): fc.Arbitrary<Edit[]> {
  const on = fc.oneof({ weight: 3, arbitrary: fc.nat(things) }, { weight: 1, arbitrary: fc.nat(11) })
  const one = fc.record({ kind: fc.constantFrom(...kinds), on, at: fc.nat(7), how: fc.nat(9) })
  return fc.array(one, { maxLength: most, size: 'max' })
}

function historyOf(kinds: readonly Edit['kind'][], things: number, most: number): fc.Arbitrary<History> {
  const side = someEdits(kinds, things, most)
  return fc.record({ base: someEdits(kinds, things, 3), x: side, y: side })
}

/** A history: the edits that create the base, and the edits of two sides. */
export interface History {
  base: Edit[]
  x: Edit[]
  y: Edit[]
}

const BODY = [
  'editBlock',
  'editBlock',
  'insertBlock',
  'deleteBlock',
  'retitle',
  'meta',
  'key',
  'comment',
  'empty',
] as const
const TREE = ['insertPage', 'move', 'move', 'move', 'slug', 'deletePage'] as const

/** Edits of the tree and of files, which assign and free repository paths. */
export const treeEdits = someEdits([...TREE, 'file', 'deleteFile'], 6, 4)

/** Histories of everything, of the bodies of few pages, and of the tree. */
export const aHistory: fc.Arbitrary<History> = fc.oneof(
  historyOf(KINDS, 4, 7),
  historyOf(BODY, 1, 6),
  historyOf(TREE, 6, 6),
)

const AT = '2026-01-01T00:00:00.000Z'

export function emptyContent(): Content {
  return {
    pages: new Map(),
    files: new Map(),
    reusables: new Map(),
    variables: {},
    redirects: {},
    sources: new Map(),
    name: 'b',
    made: 0,
  }
}

/** Sets a page by its source, which contains its title and fields. */
export function addPage(
  content: Content,
  id: string,
  parent: string | null,
  order: string,
  source: string,
): void {
  const { title = id, meta } = parsePage(source)
  const page = { id, type: 'document' as const, parent, order, slug: id, createdAt: AT, updatedAt: AT }
  setSource(content, { ...meta, title, ...page }, source)
}

/** A small initial content: a tree of seven pages with bodies, a file, a reusable content. */
export function firstContent(): Content {
  const content = emptyContent()
  content.variables = { a: 1, b: 'two' }
  content.redirects = { old: 'new' }
  for (const [at, on] of [0, 0, 1, 1, 2, 0, 5].entries())
    insertPage(content, { kind: 'insertPage', on, at, how: at })
  file(content, { kind: 'file', on: 0, at: 0, how: 0 })
  reusable(content, { kind: 'reusable', on: 0, at: 0, how: 0 })
  return content
}

/** A copy that one side edits. */
export function branch(content: Content, name: string): Content {
  return {
    ...content,
    pages: new Map(content.pages),
    files: new Map(content.files),
    reusables: new Map(content.reusables),
    variables: { ...content.variables },
    redirects: { ...content.redirects },
    name,
    made: 0,
  }
}

/** Applies edits in place. An edit without a possible target does nothing. */
export function edit(content: Content, edits: readonly Edit[]): Content {
  for (const one of edits) EDITS[one.kind](content, one)
  return content
}

type Apply = (content: Content, edit: Edit) => void

const EDITS: Record<(typeof KINDS)[number], Apply> = {
  insertPage,
  editBlock,
  insertBlock,
  deleteBlock: (content, one) =>
    withPage(content, one, (page) => withText(content, page, withoutBlock(sourceOf(content, page), one.at))),
  retitle: (content, one) =>
    withPage(content, one, (page) => say(content, page, { title: `Title ${word(content, one)}` })),
  meta: editMeta,
  field: editField,
  key: editKey,
  comment: editComment,
  slug: editSlug,
  move: movePage,
  deletePage,
  empty: (content, one) =>
    withPage(content, one, (page) => {
      if (one.how < 3)
        withText(content, page, one.how === 0 ? '' : emptied(sourceOf(content, page), page.title))
    }),
  file,
  deleteFile: ({ files }, { on }) => void files.delete(pick([...files.keys()], on) ?? ''),
  reusable,
  deleteReusable: ({ reusables }, { on }) => void reusables.delete(pick([...reusables.keys()], on) ?? ''),
  variable: ({ variables }, { on, how }) => setName(variables, 'abc'[on % 3]!, how < 2 ? undefined : how % 4),
  redirect: ({ redirects }, { on, how }) =>
    setName(redirects, `old${on % 3}`, how < 2 ? undefined : `new${how % 4}`),
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % list.length]
}

/** A word that both sides may choose, or one that is unique to this edit. */
function word(content: Content, { how }: Edit): string {
  if (how < 3) return `common${how}`
  content.made += 1
  return `${content.name}word${content.made}`
}

function setName<V>(values: Record<string, V>, name: string, value: V | undefined): void {
  if (value === undefined) delete values[name]
  else values[name] = value
}

function withPage(content: Content, { on }: Edit, change: (page: PageRecord) => unknown): void {
  const page = pick([...content.pages.values()], on)
  if (page) change(page)
}

function insertPage(content: Content, one: Edit): void {
  const id = `${content.name}${(content.made += 1)}`
  const parent = one.on % 4 === 0 ? null : (pick([...content.pages.keys()], one.on) ?? null)
  const title = `Page ${word(content, one)}`
  const body = Array.from(
    { length: one.how % 4 },
    (_, i) => `Text of ${id}, block ${i}, with some words to tell it by.\n`,
  )
  const source = [`# ${title}\n`, ...body].join('\n')
  const order = placeAt(content, parent, one.at, id)
  const taken = new Set(below(content, parent).map(({ slug }) => slug))
  const page = {
    id,
    type: 'document' as const,
    parent,
    order,
    title,
    slug: uniqueSlug(`page-${one.how % 4}`, taken),
    file: freePathIn(content, `${one.at % 2 === 0 ? '' : 'docs/'}page-${one.how % 3}.md`),
  }
  content.pages.set(id, { ...page, createdAt: AT, updatedAt: AT })
  if (one.how !== 9) setSource(content, content.pages.get(id)!, source)
}

function below({ pages }: Content, parent: string | null): PageRecord[] {
  const siblings = [...pages.values()].filter((page) => page.parent === parent)
  return siblings.toSorted((a, b) => (a.order < b.order || (a.order === b.order && a.id < b.id) ? -1 : 1))
}

function placeAt(content: Content, parent: string | null, at: number, id: string): string {
  const siblings = below(content, parent).filter((page) => page.id !== id)
  const { order, moved } = insertAt(
    siblings.map((page) => page.order),
    at % (siblings.length + 1),
  )
  for (const [index, key] of moved) update(content, { ...siblings[index]!, order: key })
  return order
}

function update(content: Content, page: PageRecord): void {
  content.made += 1
  const updatedAt = `2026-01-01T00:00:00.${String(content.made).padStart(3, '0')}Z`
  content.pages.set(page.id, { ...page, updatedAt })
}

function setSource(content: Content, page: PageRecord, source: string): void {
  const { document: _document, oid: _oid, ...rest } = page
  if (source === '') return update(content, rest)
  const document = documentHash(source)
  content.sources.set(document, source)
  update(content, { ...rest, document, oid: gitObjectId(Buffer.from(source)) })
}

/** The source of a page or reusable content. */
export function sourceOf({ sources }: Content, { document }: { document?: string }): string {
  return document === undefined ? '' : sources.get(document)!
}

function editBlock(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const source = sourceOf(content, page)
    const span = pick(parsePage(source).spans, one.at)
    if (!span) return
    const text = source.slice(span.start, span.end)
    const next =
      one.how % 2 === 0 ? `${text} And ${word(content, one)}.` : `${word(content, one)} at the start. ${text}`
    setSource(
      content,
      page,
      replaceSpans(source, [{ span, text: one.how === 5 ? word(content, one) : next }]),
    )
  })
}

function insertBlock(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const source = sourceOf(content, page)
    const { spans } = parsePage(source)
    const before = pick([...spans, undefined], one.at)
    const text = `A new block with ${word(content, one)}.`
    if (before)
      return setSource(
        content,
        page,
        `${source.slice(0, before.start)}${text}\n\n${source.slice(before.start)}`,
      )
    // Sometimes without a last line break.
    const end = one.how === 8 ? '' : '\n'
    if (source !== '') return setSource(content, page, `${source.trimEnd()}\n\n${text}${end}`)
    const { description, icon, hidden, tags } = page
    const meta = frontMatterOf({ description, icon, hidden, tags } as PageMeta)
    setSource(content, page, editFrontMatter(retitle(text + end, page.title), meta))
  })
}

function withText(content: Content, page: PageRecord, source: string): void {
  if (source !== sourceOf(content, page)) setSource(content, page, source)
}

/** Sets fields that are also in the source. */
function say(content: Content, page: PageRecord, fields: { title?: string } & PageMeta): void {
  const { title, ...meta } = fields
  const source = sourceOf(content, page)
  const next = { ...page, ...fields }
  for (const key of Object.keys(fields)) {
    if (fields[key as keyof PageMeta] === undefined) delete next[key as keyof PageMeta]
  }
  if (source === '') return update(content, next)
  const titled = title === undefined ? source : retitle(source, title)
  const keys = Object.entries(frontMatterOf(meta)).filter(([key]) => Object.hasOwn(meta, key))
  setSource(content, next, keys.length === 0 ? titled : editFrontMatter(titled, Object.fromEntries(keys)))
}

function editMeta(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const values: PageMeta[] = [
      { description: `About ${word(content, one)}` },
      { icon: `icon${one.how % 3}` },
      { hidden: one.how % 2 === 0 ? true : undefined },
      { tags: [{ tag: `tag${one.how % 3}` }] },
      { description: undefined },
    ]
    say(content, page, pick(values, one.at)!)
  })
}

/** Sets fields that are only in the record. */
function editField(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const values = [{ emoji: `1f60${one.how % 3}` }, { linkTitle: `Short ${word(content, one)}` }]
    update(content, { ...page, ...pick(values, one.at) })
  })
}

/** Sets a key of the front matter that is only in the source. */
function editKey(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const source = sourceOf(content, page)
    if (source === '') return
    const value = one.how < 2 ? undefined : word(content, one)
    setSource(content, page, editFrontMatter(source, { [`x${one.at % 3}`]: value }))
  })
}

/** Puts a comment or a blank line into the front matter. */
function editComment(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const line = one.how % 3 === 0 ? '\n' : `# ${word(content, one)}\n`
    withText(content, page, commented(sourceOf(content, page), line, one.at % 2 === 0))
  })
}

function editSlug(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const taken = new Set(below(content, page.parent).flatMap(({ id, slug }) => (id === page.id ? [] : slug)))
    update(content, { ...page, slug: uniqueSlug(`slug-${one.how % 3}`, taken) })
  })
}

function movePage(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const parent = one.how === 0 ? null : (pick([...content.pages.keys()], one.how + one.at) ?? null)
    if (isBelow(content, parent, page.id)) return
    const order = placeAt(content, parent, one.at, page.id)
    const taken = new Set(below(content, parent).flatMap(({ id, slug }) => (id === page.id ? [] : slug)))
    update(content, { ...content.pages.get(page.id)!, parent, order, slug: uniqueSlug(page.slug, taken) })
  })
}

function deletePage(content: Content, one: Edit): void {
  withPage(content, one, (page) => {
    const waiting = [page.id]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      waiting.push(...below(content, id).map((child) => child.id))
      content.pages.delete(id)
    }
  })
}

function file(content: Content, one: Edit): void {
  const known = one.at < 5 ? pick([...content.files.values()], one.on) : undefined
  if (known && one.how % 2 === 0)
    return void content.files.set(known.id, { ...known, name: `file${one.how}.png` })
  const id = known?.id ?? `${content.name}file${(content.made += 1)}`
  const bytes = { size: one.how, hash: `hash${one.how}`, contentType: 'image/png' }
  // Sometimes in the place of pages, so that both need one path.
  const wanted = one.at === 7 ? `docs/page-${one.how % 3}.md` : `assets/file${one.how % 3}.png`
  const path = known?.path ?? freePathIn(content, wanted)
  content.files.set(id, { id, name: known?.name ?? 'file.png', path, ...bytes, createdAt: AT })
}

function reusable(content: Content, one: Edit): void {
  const known = one.at < 5 ? pick([...content.reusables.values()], one.on) : undefined
  const id = known?.id ?? `${content.name}reusable${(content.made += 1)}`
  const before = known ? sourceOf(content, known) : '# Reusable\n\nFirst block.\n\nSecond block.\n'
  const title = known?.title ?? 'Reusable'
  const renamed = one.how % 3 === 0 ? `Reusable ${word(content, one)}` : title
  const blocks = retitle(before, renamed).split('\n\n')
  const block = 1 + (one.at % Math.max(1, blocks.length - 1))
  if (one.how % 3 !== 0) blocks[block] = `${blocks[block]?.trimEnd() ?? ''} And ${word(content, one)}.`
  const source = `${blocks.join('\n\n').trimEnd()}\n`
  content.sources.set(documentHash(source), source)
  const wanted = one.at === 7 ? `docs/page-${one.how % 3}.md` : `includes/reusable${one.how % 3}.md`
  const path = known?.path ?? freeReusablePath(content, wanted)
  content.reusables.set(id, { id, title: renamed, path, document: documentHash(source) })
}

/** The content in the form that merging expects. */
export function snapshotOf(content: Content): Snapshot {
  const { pages, ...others } = branch(content, content.name)
  return { ...others, pages: indexTree(pages) }
}

/** The content as a side of a merge. */
export function sideOf(base: Content, side: Content): Side {
  const changes = {
    pages: changesOf(base.pages, side.pages),
    files: changesOf(base.files, side.files),
    reusables: changesOf(base.reusables, side.reusables),
  }
  return { ...snapshotOf(side), changes }
}

/** The content after the changes of a merge or of a resolution. */
export function withChanges(
  content: Content,
  changes: ContentChanges,
  documents: ReadonlyMap<string, string>,
): Content {
  const after = branch(content, content.name)
  after.sources = new Map([...content.sources, ...documents])
  for (const field of ['pages', 'files', 'reusables'] as const) {
    const records = after[field] as Map<string, unknown>
    for (const [id, record] of changes[field] as Map<string, unknown>) {
      if (record === null) records.delete(id)
      else records.set(id, record)
    }
  }
  if (changes.variables) after.variables = { ...changes.variables }
  if (changes.redirects) after.redirects = { ...changes.redirects }
  return after
}

/** Serializes a content, so that equal contents give equal texts. */
export function textOf({ pages, files, reusables, variables, redirects }: Content): string {
  return (
    JSON.stringify(canonical([pages, files, reusables].map((map) => Object.fromEntries(map)))) +
    JSON.stringify(canonical([variables, redirects]))
  )
}
