/** Random edits of a content for tests of its links: moves, renames, edits and deletions. */
import fc from 'fast-check'
import { documentHash } from '../../src/core/content/hash.ts'
import type { LinkChanges, LinkTargets } from '../../src/core/content/link-tokens.ts'
import { oldPlacesAfter } from '../../src/core/content/old-places.ts'
import type { EntryChange } from '../../src/core/content/prolly-tree/read.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../src/core/content/revision.ts'
import { indexTree, type PageTree } from '../../src/core/content/tree/tree.ts'
import { type DocumentLinks, linksIn } from '../../src/core/document/links/links-in.ts'

/** A content, and the sources of all documents of its history by hash. */
export interface LinkedState extends LinkTargets {
  readonly pages: ReadonlyMap<string, PageRecord>
  readonly sources: Map<string, string>
  /** How many edits led to it. */
  readonly step: number
}

/** One edit; the numbers choose among what there is. */
export interface LinkEdit {
  kind: (typeof KINDS)[number]
  on: number
  at: number
  how: number
}

const KINDS = [
  'move',
  'move',
  'rename',
  'rename',
  'link',
  'link',
  'link',
  'link',
  'unlink',
  'heading',
  'create',
  'delete',
  'file',
  'deleteFile',
  'include',
  'reusable',
  'deleteReusable',
  'cover',
  'computed',
  'type',
  'reorder',
] as const

const BIG = 1_000_000

/** Any edit. */
export const linkEdit: fc.Arbitrary<LinkEdit> = fc.record({
  kind: fc.constantFrom(...KINDS),
  on: fc.nat(BIG),
  at: fc.nat(BIG),
  how: fc.nat(BIG),
})

const parsed = new Map<string, DocumentLinks>()

/** The links of a document. Each source is parsed once in a test. */
export function parsedLinks({ sources }: LinkedState, hash: string): DocumentLinks {
  const known = parsed.get(hash) ?? linksIn(sources.get(hash) ?? '')
  parsed.set(hash, known)
  return known
}

/** A content with pages from Markdown files by path: a page below the one of its folder. */
export function stateOf(files: ReadonlyMap<string, string>): LinkedState {
  const sources = new Map<string, string>()
  const pages = new Map<string, PageRecord>()
  const folders = new Map<string, string>()
  const paths = [...files.keys()].toSorted()
  for (const path of paths.filter((one) => one.endsWith('README.md')))
    folders.set(path.slice(0, -'README.md'.length), idOf('p', paths.indexOf(path)))
  for (const [number, path] of paths.entries()) {
    const source = files.get(path)!
    const id = idOf('p', number)
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '')
    const own = path.slice(0, path.lastIndexOf('/') + 1)
    const above = name === 'README' ? own.replace(/[^/]*\/$/, '') : own
    const parent = folders.get(above)
    const document = documentHash(source)
    sources.set(document, source)
    const slug = name === 'README' ? (own.split('/').at(-2) ?? 'home') : name
    pages.set(id, {
      id,
      type: 'document',
      title: name,
      slug,
      document,
      file: path,
      parent: parent === undefined || parent === id ? null : parent,
      order: orderOf(number),
      createdAt: '',
      updatedAt: '',
    })
  }
  const image = fileOf('f000000', 'assets/image.png')
  return {
    pages,
    tree: indexTree(pages),
    files: new Map([[image.id, image]]),
    reusables: new Map(),
    oldPlaces: new Map(),
    sources,
    step: 0,
  }
}

const idOf = (kind: string, number: number) => `${kind}${String(number).padStart(6, '0')}`
const orderOf = (number: number) => `a${String(number % 1000).padStart(4, '0')}`

function fileOf(id: string, path: string): FileRecord {
  return { id, name: path, path, contentType: 'image/png', size: 1, hash: '', createdAt: '' }
}

/** The content after an edit, and the differences. */
export function edited(
  state: LinkedState,
  { kind, on, at, how }: LinkEdit,
): { next: LinkedState; changes: LinkChanges } {
  const changed = {
    pages: new Map<string, PageRecord | null>(),
    files: new Map<string, FileRecord | null>(),
    reusables: new Map<string, ReusableRecord | null>(),
  }
  const step = state.step + 1
  const pages = [...state.pages.values()]
  const reusables = [...state.reusables.values()]
  const page = pages[on % Math.max(1, pages.length)]
  const other = pages[at % Math.max(1, pages.length)]
  const reusable = reusables[at % Math.max(1, reusables.length)]
  const store = (source: string) => {
    const hash = documentHash(source)
    state.sources.set(hash, source)
    return hash
  }
  const sourceOf = (record: { document?: string } | undefined) =>
    state.sources.get(record?.document ?? '') ?? ''
  const set = (record: PageRecord | undefined, fields: Partial<PageRecord>) =>
    record && changed.pages.set(record.id, { ...record, ...fields })
  const slugs = ['guide', 'setup', 'faq', other?.slug ?? 'x', 'New', `s${how % 7}`]
  const slug = slugs[how % slugs.length]!

  if (kind === 'move' && page && other && !isWithin(state.tree, other.id, page.id))
    set(page, { parent: how % 4 === 0 ? null : other.id, order: orderOf(how) })
  if (kind === 'reorder') set(page, { order: orderOf(how) })
  if (kind === 'rename') set(page, { slug, title: slug })
  if (kind === 'link' && page) {
    const target = (how % 3 === 0 && state.tree.path(other!.id)) || other!.file || 'x.md'
    const anchors = [
      '',
      '',
      '#part',
      `#heading-${how % 5}`,
      `#${parsedLinks(state, other!.document ?? '').anchors[0] ?? 'none'}`,
    ]
    const addresses = [
      `/${target}`,
      `/pages/${state.tree.path(other!.id)}`,
      `/pages/${slug}/${slugs[at % 6]}`,
      `/new/${how % 9}.md`,
      `gone-${how % 5}.md`,
      `${slug}.md`,
      `/pages/`,
      // A place where a page was before.
      `/pages/${formerPath(state, at)}`,
      `/pages/${formerPath(state, on)}/${slug}`,
      `https://example.com/${how % 5}`,
      `/assets/${how % 3}.png`,
    ]
    const text = `\n[text](<${addresses[how % addresses.length]}${anchors[at % anchors.length]}>)\n`
    if (reusable && how % 6 === 0)
      changed.reusables.set(reusable.id, { ...reusable, document: store(sourceOf(reusable) + text) })
    else set(page, { document: store(sourceOf(page) + text) })
  }
  if (kind === 'unlink') {
    const parts = sourceOf(page).split('\n\n')
    set(page, { document: store(parts.filter((_, i) => i !== at % parts.length).join('\n\n')) })
  }
  if (kind === 'heading') set(page, { document: store(`${sourceOf(page)}\n\n## Heading ${how % 5}\n`) })
  if (kind === 'create') {
    const id = idOf('p', 100_000 + step)
    const document = store(`# New\n\n## Part\n\n[home](/README.md)\n`)
    const fields = {
      id,
      type: 'document' as const,
      title: slug,
      slug,
      document,
      createdAt: '',
      updatedAt: '',
    }
    const place = { parent: how % 3 === 0 ? null : (other?.id ?? null), order: orderOf(at) }
    const file = how % 2 === 0 ? { file: `new/${at % 9}.md` } : {}
    changed.pages.set(id, { ...fields, ...place, ...file })
  }
  if (kind === 'delete' && page && pages.length > 5)
    for (const { id } of pages) if (isWithin(state.tree, id, page.id)) changed.pages.set(id, null)
  if (kind === 'file') {
    const id = idOf('f', step)
    changed.files.set(id, fileOf(id, `assets/${how % 3}.png`))
  }
  const [file] = [...state.files.keys()].slice(on % Math.max(1, state.files.size))
  if (kind === 'deleteFile' && file) changed.files.set(file, null)
  if (kind === 'reusable') {
    const id = how % 2 === 0 && reusable ? reusable.id : idOf('r', step)
    const text = `## Heading ${how % 5}\n\n[a](/${other?.file ?? 'x.md'}#part)\n\n{% include "/includes/${at % 4}.md" %}\n`
    changed.reusables.set(id, { id, title: 'R', path: `includes/${on % 4}.md`, document: store(text) })
  }
  if (kind === 'deleteReusable' && reusable) changed.reusables.set(reusable.id, null)
  if (kind === 'include')
    set(page, { document: store(`${sourceOf(page)}\n\n{% include "/includes/${how % 4}.md" %}\n`) })
  if (kind === 'cover' && file) set(page, { cover: { ref: { kind: 'file', file }, yPos: 0 } })
  if (kind === 'computed' && page) {
    const { computed, ...rest } = page
    changed.pages.set(
      page.id,
      computed ? rest : { ...page, computed: { type: 'builtin:openapi', props: {} } },
    )
  }
  if (kind === 'type') set(page, { type: how % 2 === 0 ? 'document' : 'link' })

  const next = {
    pages: applied(state.pages, changed.pages),
    tree: state.tree.apply(changed.pages),
    files: applied(state.files, changed.files),
    reusables: applied(state.reusables, changed.reusables),
    sources: state.sources,
    step,
  }
  const moved = [...changed.pages].flatMap(([id, after]) => {
    const before = state.pages.get(id)
    return before ? [{ before, after }] : []
  })
  const most = 15
  const left = oldPlacesAfter(state.oldPlaces, moved, idOf('q', step), most)
  const oldPlaces = applied(state.oldPlaces, left)
  return {
    next: { ...next, oldPlaces },
    changes: differences(state, { ...next, oldPlaces }),
  }
}

/** The path of a place that a page has left. */
function formerPath({ oldPlaces, tree }: LinkedState, at: number): string {
  const keys = [...oldPlaces.keys()]
  const [parent = '', slug = 'none'] = (keys[at % Math.max(1, keys.length)] ?? '').split('/')
  return [tree.path(parent), slug].filter(Boolean).join('/')
}

/** What differs between two contents. */
export function differences(before: LinkedState, after: LinkedState): LinkChanges {
  return {
    pages: diffOf(before.pages, after.pages),
    files: diffOf(before.files, after.files),
    reusables: diffOf(before.reusables, after.reusables),
    oldPlaces: diffOf(before.oldPlaces, after.oldPlaces),
  }
}

function diffOf<V>(before: ReadonlyMap<string, V>, after: ReadonlyMap<string, V>): EntryChange<V>[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => {
      const [old, now] = [before.get(key), after.get(key)]
      return {
        key,
        ...(old === undefined ? {} : { before: old }),
        ...(now === undefined ? {} : { after: now }),
      }
    })
}

function applied<V>(
  map: ReadonlyMap<string, V>,
  changes: ReadonlyMap<string, V | null>,
): ReadonlyMap<string, V> {
  if (changes.size === 0) return map
  const next = new Map(map)
  for (const [key, value] of changes) {
    if (value === null) next.delete(key)
    else next.set(key, value)
  }
  return next
}

function isWithin(tree: PageTree, id: string, ancestor: string): boolean {
  return id === ancestor || tree.ancestors(id).some((page) => page.id === ancestor)
}
