/** What the settings of Jekyll say about pages: `defaults` of front matter, and patterns of addresses. */
import { isRecord } from '../../data/is-record.ts'
import { folderOf, isBelow, lastSegment } from '../../text/file-paths.ts'
import type { Head } from './addresses.ts'

/** Gives the fields that the settings set for a page, by its path below the project. Later entries win. */
export function frontMatterDefaults(settings: Readonly<Record<string, unknown>>): (path: string) => Head {
  const entries = (Array.isArray(settings.defaults) ? settings.defaults.filter(isRecord) : []).flatMap(
    ({ scope, values }) => {
      const { path = '', type } = isRecord(scope) ? scope : {}
      if (typeof path !== 'string' || !isRecord(values)) return []
      return [{ path: path.replace(/^\/+|\/+$/g, ''), type, values }]
    },
  )
  const collections = isRecord(settings.collections) ? settings.collections : {}
  return (path) => {
    const collection = /^_([^/]+)\//.exec(path)?.[1]
    const { permalink } = asRecord(collections[collection ?? ''])
    const own = collection === undefined ? settings.permalink : permalink
    const given = typeof own === 'string' ? { permalink: own } : {}
    return entries
      .filter((entry) => entry.type === undefined || entry.type === (collection ?? 'pages'))
      .filter((entry) => entry.path === '' || entry.path === path || isBelow(path, entry.path))
      .reduce<Head>((all, { values }) => ({ ...all, ...values }), given)
  }
}

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

const STYLES: Record<string, string> = {
  pretty: '/:path/',
  none: '/:path:output_ext',
  date: '/:path:output_ext',
}

/** The address of a page. @param path of its file below the project */
export function jekyllAddress(path: string, { permalink, title }: Head): string {
  const inSite = path.replace(/^_/, '')
  const stem = inSite.replace(/\.\w+$/, '')
  if (typeof permalink !== 'string') return `${stem}.html`.replace(/(?<=^|\/)index\.html$/, '')
  const pattern = Object.hasOwn(STYLES, permalink) ? STYLES[permalink] : permalink
  const collection = /^_([^/]+)\//.exec(path)?.[1]
  const parts: Record<string, string> = {
    collection: collection ?? '',
    path: collection === undefined ? stem : stem.slice(collection.length + 1),
    basename: lastSegment(stem),
    name: lastSegment(stem),
    title: typeof title === 'string' && collection === undefined ? title : lastSegment(stem),
    output_ext: '.html',
    categories: folderOf(stem),
  }
  return (pattern ?? '')
    .replace(/:(output_ext|[a-z]{1,20})/g, (written, name: string) =>
      Object.hasOwn(parts, name) ? (parts[name] ?? '') : written,
    )
    .replace(/(?<=^|\/)index(?:\.html|\/)?$/, '')
}
