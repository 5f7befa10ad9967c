/** The layout that docs/contributing/ARCHITECTURE.md describes: which room may import which, no circle, and one name for one thing. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const SOURCE = resolve(import.meta.dirname, '../src')

const KIT = ['core', 'db', 'http']

/** What the rooms of the browser's program may import, from the bottom to the top. */
const CONSOLE_KIT = [
  'console/app/words',
  'console/app/api',
  'core/data',
  'core/languages',
  'core/text',
  'core/web',
]
const CONTENT_KIT = [...CONSOLE_KIT, 'console/app/ui', 'core/document', 'core/content']
/** A feature may import these, but no other feature. */
const FEATURE_KIT = [
  ...CONTENT_KIT,
  'console/app/content',
  'console/app/diff',
  'console/app/editor',
  'console/app/places',
  'console/app/proposals',
  'console/app/history',
  'console/app/discussion',
  'console/app/import-export',
  'console/app/pages',
]

/**
 * The rooms from the bottom to the top. A room may import itself, what it names, and whatever is inside these; where a
 * folder is divided, each of its rooms names the siblings below it. `main.ts` and `commands` may import everything.
 */
const MAY_IMPORT: Record<string, string[]> = {
  'core/data': [],
  'core/runtime': ['core/data'],
  'core/languages': [],
  'core/text': ['core/data', 'core/runtime'],
  'core/web': ['core/languages', 'core/data', 'core/runtime'],
  'core/scim': ['core/data'],
  'core/zip': [],
  'core/proposals': ['core/languages', 'core/expression'],
  'core/document/html': ['core/document/*', 'core/data', 'core/runtime', 'core/text', 'core/web'],
  'core/document/markdown/conditions': ['core/document/markdown/*', 'core/document/*', 'core/data'],
  'core/document/markdown/read': [
    'core/document/markdown/*',
    'core/document/markdown/conditions',
    'core/document/*',
    'core/data',
    'core/text',
  ],
  'core/document/markdown/print': ['core/document/markdown/*', 'core/document/*', 'core/data', 'core/text'],
  'core/document/markdown': ['core/languages', 'core/document/*', 'core/data', 'core/runtime', 'core/text'],
  'core/document': [
    'core/languages',
    'core/document/html',
    'core/document/markdown',
    'core/expression',
    'core/yaml',
    'core/data',
    'core/runtime',
    'core/text',
  ],
  'core/search/forms': ['core/languages', 'core/data'],
  'core/search': ['core/search/forms', 'core/document', 'core/data', 'core/runtime'],
  'core/expression': ['core/languages', 'core/data', 'core/runtime'],
  'core/yaml': ['core/languages', 'core/runtime'],
  'core/toml': ['core/languages', 'core/data', 'core/runtime'],
  'core/openapi': ['core/document', 'core/yaml', 'core/data', 'core/text'],
  'core/repository': [
    'core/document',
    'core/content',
    'core/yaml',
    'core/toml',
    'core/data',
    'core/languages',
    'core/runtime',
    'core/text',
    'core/web',
  ],
  'core/sources/html': [
    'core/languages',
    'core/sources/*',
    'core/document',
    'core/repository',
    'core/data',
    'core/runtime',
    'core/text',
  ],
  'core/sources': [
    'core/languages',
    'core/sources/html',
    'core/document',
    'core/repository',
    'core/toml',
    'core/data',
    'core/runtime',
    'core/text',
  ],
  'core/content/prolly-tree': ['core/data', 'core/runtime'],
  'core/content/tree': ['core/languages', 'core/content/*', 'core/data', 'core/runtime', 'core/text'],
  'core/content/fields': [
    'core/languages',
    'core/content/*',
    'core/content/tree',
    'core/document',
    'core/expression',
    'core/data',
    'core/text',
  ],
  'core/content/edit': [
    'core/languages',
    'core/content/*',
    'core/content/merge',
    'core/document',
    'core/data',
  ],
  'core/content/batch': [
    'core/languages',
    'core/content/*',
    'core/content/edit',
    'core/content/fields',
    'core/content/tree',
    'core/document',
    'core/data',
    'core/text',
  ],
  'core/content/merge': [
    'core/languages',
    'core/content/*',
    'core/content/fields',
    'core/content/prolly-tree',
    'core/content/tree',
    'core/document',
    'core/yaml',
    'core/data',
    'core/runtime',
    'core/text',
  ],
  'core/epub': [
    'core/data',
    'core/document',
    'core/reading',
    'core/runtime',
    'core/text',
    'core/web',
    'core/zip',
  ],
  'core/reading': [
    'core/document',
    'core/expression',
    'core/content',
    'core/openapi',
    'core/data',
    'core/runtime',
  ],
  'core/book': ['core/data', 'core/document', 'core/runtime'],
  'core/content': [
    'core/languages',
    'core/content/prolly-tree',
    'core/content/tree',
    'core/document',
    'core/data',
    'core/runtime',
    'core/text',
  ],
  // A new folder has a row here, or this fails.
  core: [],
  'db/search': ['db/*', 'core/runtime'],
  'db/catalogue': ['core/data'],
  db: ['db/search', 'db/catalogue', 'core/data', 'core/runtime'],
  mail: ['core/languages'],
  threads: ['core'],
  highlight: ['core', 'threads'],
  blobs: [],
  'http/limits': ['core/languages', 'http/errors', 'db'],
  'http/outgoing': ['core/languages', 'http/errors', 'http/limits', 'core/text', 'threads'],
  'http/validation': ['core/languages', 'http/errors', 'core/document', 'core/runtime'],
  http: [
    'core/data',
    'core/languages',
    'http/limits',
    'http/outgoing',
    'http/validation',
    'db',
    'blobs',
    'mail',
  ],
  'http/request': ['http/*', 'http/limits', 'core/languages', 'core/text', 'core/web'],
  'http/response': [
    'core/languages',
    'http/*',
    'http/limits',
    'core/data',
    'core/runtime',
    'core/web',
    'threads',
    'db',
    'blobs',
  ],
  'access/roles': ['core/languages', 'core/data', 'db', 'http'],
  'access/checks': ['core/languages', 'access/roles', 'db', 'http'],
  'access/credentials': ['core/languages', 'core/data', 'core/runtime', 'core/text', 'db', 'http', 'threads'],
  'access/visitors': ['core', 'db', 'http'],
  access: [],
  'model/audit': ['model/*', ...KIT],
  'model/installation': ['model/*', ...KIT, 'blobs', 'mail'],
  'model/events': ['model/*', 'model/people', ...KIT, 'access', 'mail'],
  'model/people': ['model/*', ...KIT, 'access', 'mail'],
  'model/places': ['model/*', ...KIT, 'access'],
  'model/access': ['model/*', 'model/people', 'model/places', ...KIT, 'access'],
  'model/membership': ['model/*', 'model/people', 'model/places', 'model/access', ...KIT, 'access'],
  'model/scim': ['model/*', 'model/access', 'model/membership', ...KIT, 'access'],
  'model/content': ['threads', 'model/*', 'model/people', 'model/places', ...KIT, 'blobs'],
  'model/openapi': ['threads', 'model/*', 'model/content', ...KIT, 'access', 'blobs'],
  'model/discussion': ['model/*', 'model/people', 'model/content', ...KIT, 'access'],
  'model/proposals': [
    'model/*',
    'model/people',
    'model/places',
    'model/access',
    'model/content',
    'model/discussion',
    ...KIT,
    'access',
  ],
  'model/history': ['model/*', 'model/people', 'model/content', 'model/proposals', ...KIT],
  'model/links': [
    'model/*',
    'model/people',
    'model/places',
    'model/content',
    'model/openapi',
    'model/proposals',
    'model/history',
    'model/sites',
    ...KIT,
    'access',
  ],
  'model/search': ['model/*', 'model/content', 'model/openapi', ...KIT, 'access'],
  'model/sites': [
    'model/*',
    'model/places',
    'model/content',
    'model/openapi',
    'model/search',
    ...KIT,
    'access',
  ],
  model: [...KIT, 'access'],
  books: ['highlight', 'sites/render', 'model', ...KIT, 'access', 'blobs', 'threads'],
  metrics: ['access', 'books', 'blobs', 'mail', 'threads', ...KIT],
  tracing: ['core'],
  'shared-routes': ['books', 'imports', 'model', ...KIT, 'access'],
  imports: ['model', ...KIT, 'access', 'blobs', 'threads'],
  sync: ['git', 'imports', 'model', ...KIT, 'access', 'blobs', 'threads'],
  api: ['shared-routes', 'books', 'sync', 'imports', 'highlight', 'model', ...KIT, 'access', 'blobs'],
  scim: ['model', ...KIT, 'access'],
  // The sources of the scripts of pages, which run in the browsers of readers.
  'sites/assets/scripts/kit': [],
  'sites/assets/scripts/site': ['sites/assets/scripts/kit', 'sites/assets/scripts/search'],
  'sites/assets/scripts/search': ['sites/assets/scripts/kit'],
  'sites/assets/scripts/diagrams': ['sites/assets/scripts/kit'],
  'sites/assets/scripts/try-it': ['sites/assets/scripts/kit', 'core/openapi/try-it'],
  'sites/assets/scripts': ['sites/assets/scripts/kit'],
  'sites/assets': ['core/runtime', 'core/web'],
  'sites/render': ['sites/assets', 'core'],
  'sites/serve': ['sites/assets', 'highlight', 'sites/render', 'books', 'model', ...KIT, 'access', 'threads'],
  'console/assets/scripts': ['sites/assets/scripts/kit'],
  'console/render': ['sites/assets', 'core'],
  // The sources of the browser's program import those of core that need no Node; see its own configuration.
  'console/app/words': ['core/languages'],
  'console/app/api': ['console/app/words', 'core/document', 'core/content'],
  'console/app/ui': CONSOLE_KIT,
  'console/app/content': CONTENT_KIT,
  'console/app/diff': [...CONTENT_KIT, 'console/app/content'],
  'console/app/editor': [...CONTENT_KIT, 'console/app/content'],
  'console/app/places': [...CONSOLE_KIT, 'console/app/ui'],
  'console/app/proposals': [...CONTENT_KIT, 'console/app/diff'],
  'console/app/history': [...CONTENT_KIT, 'console/app/diff', 'console/app/proposals'],
  'console/app/discussion': [
    ...CONTENT_KIT,
    'console/app/content',
    'console/app/diff',
    // The completion of its fields.
    'console/app/editor',
    'console/app/proposals',
  ],
  'console/app/import-export': [...CONSOLE_KIT, 'console/app/ui'],
  'console/app/pages': [...CONTENT_KIT, 'console/app/content', 'console/app/editor', 'console/app/proposals'],
  'console/app/features/home': FEATURE_KIT,
  'console/app/features/installation': FEATURE_KIT,
  'console/app/features/account': FEATURE_KIT,
  'console/app/features/organization': FEATURE_KIT,
  'console/app/features/collection': FEATURE_KIT,
  'console/app/features/site': FEATURE_KIT,
  'console/app/features/openapi': FEATURE_KIT,
  'console/app/features/space': FEATURE_KIT,
  'console/app/features/change-request': FEATURE_KIT,
  'console/app/features/editing': FEATURE_KIT,
  'console/app/program': [...FEATURE_KIT, 'console/app/features'],
  // A new folder has a row here, or this fails.
  'console/app': [],
  'console/build': [],
  'console/serve': ['console/build', 'console/render', 'model', ...KIT, 'access'],
  sso: ['console/render', 'model', ...KIT, 'access'],
  git: ['imports', 'model', ...KIT, 'access', 'blobs', 'threads'],
  effects: ['model', ...KIT, 'access'],
  installation: ['metrics', 'tracing', 'books', 'jobs', 'sso', 'model', ...KIT, 'access', 'blobs', 'mail'],
  server: [
    'metrics',
    'tracing',
    'effects',
    'installation',
    'console/build',
    'console/serve',
    'sites/serve',
    'sso',
    'git',
    'sync',
    'jobs',
    'imports',
    'books',
    'model',
    ...KIT,
    'access',
    'blobs',
    'mail',
    'threads',
  ],
  jobs: ['sync', 'imports', 'model', ...KIT, 'mail'],
}

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)))
const textOf = new Map(files.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]))

/** The room of a file: the deepest folder that the table names. */
function roomOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (folder in MAY_IMPORT) return folder
  return undefined
}

function importsOf(file: string): string[] {
  const paths = [...textOf.get(file)!.matchAll(/\b(?:from |import |import\()'(\.[^']+\.tsx?)'/g)]
  return paths.map(([, path = '']) => relative(SOURCE, resolve(SOURCE, dirname(file), path)))
}

/** `a/b` allows the room and what is below it; `a/*` only the files of `a` itself. */
function allows(pattern: string, target: string): boolean {
  if (pattern.endsWith('/*')) return dirname(target) === pattern.slice(0, -2)
  return target.replace(/\.tsx?$/, '') === pattern || target.startsWith(`${pattern}/`)
}

test('imports point down, from room to room', () => {
  const upward: string[] = []
  for (const file of files) {
    const room = roomOf(file)
    if (room === undefined) continue
    for (const target of importsOf(file)) {
      const allowed: boolean = roomOf(target) === room || MAY_IMPORT[room]!.some((one) => allows(one, target))
      if (!allowed) upward.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(upward, [])
})

test('two rooms do not import each other, unless one is inside the other', () => {
  const between = new Set<string>()
  for (const file of files)
    for (const target of importsOf(file)) between.add(`${roomOf(file)} ${roomOf(target)}`)
  const mutual = [...between].filter((pair) => {
    const [from = '', to = ''] = pair.split(' ')
    const isInside = `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)
    return !isInside && between.has(`${to} ${from}`)
  })
  assert.deepEqual(mutual, [])
})

test('no circle of imports, of types either', () => {
  // What imports nothing that is left is in no circle, and neither is what nothing that is left imports.
  const left = new Set(files)
  for (let before = Infinity; left.size < before;) {
    before = left.size
    const imported = new Set([...left].flatMap(importsOf))
    for (const file of left)
      if (!imported.has(file) || !importsOf(file).some((target) => left.has(target))) left.delete(file)
  }
  const imports = [...left].flatMap((file) =>
    importsOf(file).flatMap((target) => (left.has(target) ? [`${file} imports ${target}`] : [])),
  )
  assert.deepEqual(imports, [])
})
