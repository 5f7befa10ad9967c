/** The front matter of a page: what Lectern understands of it, and changing it without touching the rest. */
import { isMap, isScalar, parseDocument, stringify } from 'yaml'
import { readYaml } from '../repository/yaml.ts'
import type { ContentRef, PageLayout, PageMeta } from './model.ts'

const FENCE = /^\ufeff?---[ \t]*\r?\n((?:[\s\S]*?\r?\n)??)---[ \t]*(?:\r?\n|$)/
/** More text than this is not read as front matter; it stays in the source. */
const LONGEST = 64 * 1024

/** Where the front matter ends, as an offset in the source; 0 where there is none. */
export function frontMatterEnd(source: string): number {
  return FENCE.exec(source)?.[0].length ?? (source.startsWith('\ufeff') ? 1 : 0)
}

/** What the front matter of a page says (api-facts 6.2). What is not YAML, or of the wrong type, says nothing. */
export function readFrontMatter(source: string): PageMeta {
  const fields = readFields(FENCE.exec(source)?.[1] ?? '')
  if (!fields) return {}

  const { cover, coverY, coverHeight, coverDark } = fields
  const ref = refOf(cover)
  const refDark = refOf(coverDark)
  const height = numberOf(coverHeight)
  return {
    ...given('title', textOf(fields.title)),
    ...given('description', textOf(fields.description)),
    ...given('icon', textOf(fields.icon)),
    ...given('hidden', fields.hidden === true || undefined),
    ...given('noIndex', fields.noIndex === true || undefined),
    ...given('noRobotsIndex', fields.noRobotsIndex === true || undefined),
    ...given('condition', textOf(fields.if)),
    ...given('layout', layoutOf(fields.layout)),
    ...given('tags', tagsOf(fields.tags)),
    ...given('variables', variablesOf(fields.vars)),
    ...(ref
      ? {
          cover: {
            ref,
            ...given('refDark', refDark),
            yPos: numberOf(coverY) ?? 0,
            ...given('height', height),
          },
        }
      : {}),
  }
}

/** The front matter that says this, with its fences; empty where there is nothing to say. The title is the page's heading. */
export function printFrontMatter(meta: PageMeta): string {
  const { cover, layout } = meta
  const fields = {
    ...given('description', meta.description),
    ...given('icon', meta.icon),
    ...given('hidden', meta.hidden),
    ...given('noIndex', meta.noIndex),
    ...given('noRobotsIndex', meta.noRobotsIndex),
    ...given('if', meta.condition),
    ...given(
      'tags',
      meta.tags?.map(({ tag, primary }) => (primary ? { tag, primary } : tag)),
    ),
    ...given('vars', meta.variables),
    ...given('cover', cover?.ref && addressOf(cover.ref)),
    ...given('coverDark', cover?.refDark && addressOf(cover.refDark)),
    ...given('coverY', cover?.ref && cover.yPos),
    ...given('coverHeight', cover?.height),
    ...given('layout', layout && layoutFields(layout)),
  }
  return Object.keys(fields).length === 0 ? '' : `---\n${stringify(fields, { lineWidth: 0 })}---\n\n`
}

/**
 * Sets keys of the front matter, or removes those whose value is undefined; every other byte of the source stays.
 * Front matter that is not YAML is left as it is, because there is no telling what its lines mean.
 */
export function editFrontMatter(source: string, changes: Record<string, unknown>): string {
  const [whole = '', yaml = ''] = FENCE.exec(source) ?? []
  if (whole === '') {
    const fields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    if (Object.keys(fields).length === 0) return source
    const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
    return `${mark}---\n${stringify(fields, { lineWidth: 0 })}---\n\n${source.slice(mark.length)}`
  }

  const lineEnd = whole.includes('\r\n') ? '\r\n' : '\n'
  let edited = yaml
  for (const [key, value] of Object.entries(changes)) {
    const next = editKey(edited, key, value, lineEnd)
    if (next === undefined) return source
    edited = next
  }
  const start = whole.indexOf('\n') + 1
  return source.slice(0, start) + edited + source.slice(start + yaml.length)
}

function editKey(yaml: string, key: string, value: unknown, lineEnd: string): string | undefined {
  if (yaml.length > LONGEST || readYaml(yaml).fault !== undefined) return undefined
  const document = parseDocument(yaml, { logLevel: 'silent' })
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    return undefined
  const line =
    value === undefined ? '' : stringify({ [key]: value }, { lineWidth: 0 }).replaceAll('\n', lineEnd)

  const pair = document.contents?.items.find((item) => isScalar(item.key) && item.key.value === key)
  if (!pair) return yaml + line
  const start = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0
  const next = document.contents?.items[document.contents.items.indexOf(pair) + 1]
  const end = next && isScalar(next.key) ? (next.key.range?.[0] ?? yaml.length) : yaml.length
  return yaml.slice(0, start) + line + yaml.slice(end)
}

function readFields(yaml: string): Record<string, unknown> | undefined {
  if (yaml === '' || yaml.length > LONGEST) return undefined
  const { value, fault } = readYaml(yaml)
  return fault === undefined && isRecord(value) ? value : undefined
}

type Toggle = Exclude<keyof PageLayout, 'width' | 'coverSize'>
const TOGGLES = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'cover',
] as const satisfies readonly Toggle[]
const COVER_SIZES = ['hero', 'full', 'background'] as const

function layoutOf(value: unknown): PageLayout | undefined {
  if (!isRecord(value)) return undefined
  const layout: PageLayout = {}
  for (const name of TOGGLES) {
    const part = value[name]
    if (isRecord(part) && typeof part.visible === 'boolean') layout[name] = part.visible
  }
  if (value.width === 'wide' || value.width === 'default') layout.width = value.width
  const size = isRecord(value.cover)
    ? COVER_SIZES.find((known) => isRecord(value.cover) && known === value.cover.size)
    : undefined
  if (size) layout.coverSize = size
  return Object.keys(layout).length > 0 ? layout : undefined
}

function layoutFields({ width, coverSize, ...toggles }: PageLayout): Record<string, unknown> {
  const fields: Record<string, Record<string, unknown>> = Object.fromEntries(
    Object.entries(toggles).map(([name, visible]) => [name, { visible }]),
  )
  if (coverSize) fields.cover = { ...fields.cover, size: coverSize }
  return { ...given('width', width), ...fields }
}

function tagsOf(value: unknown): PageMeta['tags'] {
  if (!Array.isArray(value)) return undefined
  const tags = value.flatMap((item: unknown) => {
    if (typeof item === 'string') return [{ tag: item }]
    if (!isRecord(item) || typeof item.tag !== 'string') return []
    return [{ tag: item.tag, ...(item.primary === true ? { primary: true } : {}) }]
  })
  return tags.length > 0 ? tags : undefined
}

function variablesOf(value: unknown): PageMeta['variables'] {
  if (!isRecord(value)) return undefined
  const variables = Object.entries(value).filter(
    (entry): entry is [string, string | number | boolean] =>
      /^[A-Za-z][A-Za-z0-9_]*$/.test(entry[0]) && ['string', 'number', 'boolean'].includes(typeof entry[1]),
  )
  return variables.length > 0 ? Object.fromEntries(variables) : undefined
}

function refOf(value: unknown): ContentRef | undefined {
  return typeof value === 'string' && value !== '' ? { kind: 'url', url: value } : undefined
}

function addressOf(ref: ContentRef): string | undefined {
  if (ref.kind === 'url') return ref.url
  return ref.kind === 'file' ? `/files/${ref.file}` : undefined
}

const textOf = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function given<K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [k in K]?: V })
}
