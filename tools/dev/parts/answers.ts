/** The responses that the components get on this page instead of those of the server, so that they are always the same. */
import { say } from './sample.tsx'

/** The organization, the content and the site whose resources this page has. */
export const ORGANIZATION = 'parts'
export const CONTENT = '/spaces/parts/content'

const drawing = (text: string, color: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="200"><rect width="480" height="200" fill="${color}"/><text x="240" y="112" font-family="sans-serif" font-size="36" text-anchor="middle" fill="#fff">${text}</text></svg>`,
  )}`

/** The address of a picture. */
export const PICTURE = drawing('480 × 200', '#33658a')

const PEOPLE = [
  { id: 'u1', displayName: 'Ada Lovelace', email: 'ada@example.com' },
  { id: 'u2', displayName: 'Grace Hopper', email: 'grace@example.com' },
  { id: 'u3', displayName: '王小明', email: 'wang@example.com' },
]

/** Returns the pages of the space. */
const pages = () => [
  ...[
    { id: 'start', path: '', emoji: '1f44b', title: say('Welcome', '欢迎'), children: 0 },
    { id: 'install', path: 'install', icon: 'download', title: say('Installation', '安装'), children: 2 },
    { id: 'hidden', path: 'hidden', hidden: true, title: say('Release checklist', '发布清单'), children: 0 },
  ].map((page) => ({ type: 'document', parent: null, ...page })),
  ...[
    { id: 'linux', path: 'install/linux', title: 'Linux', children: 0 },
    {
      id: 'windows',
      path: 'install/windows',
      title: say(
        'Windows, with a title that is much longer than the tree is wide',
        'Windows，标题比树的宽度长得多的页面',
      ),
      condition: 'visitor.claims.beta',
      children: 0,
    },
  ].map((page) => ({ type: 'document', parent: 'install', ...page })),
  { id: 'more', type: 'group', parent: null, title: say('More', '更多'), children: 1 },
  { id: 'site', type: 'link', parent: 'more', title: say('Our site', '我们的网站'), children: 0 },
]

function outline(query: URLSearchParams) {
  const ids = query.get('ids')?.split(',')
  const parents = query.get('parents')?.split(',') ?? [query.get('parent')]
  const items = pages().filter(({ id, parent }) => (ids ? ids.includes(id) : parents.includes(parent)))
  return { items, count: items.length }
}

function members(query: URLSearchParams) {
  const wanted = (query.get('search') ?? '').toLowerCase()
  const found = PEOPLE.filter(({ displayName }) => displayName.toLowerCase().includes(wanted))
  return { items: found.map((user) => ({ user })) }
}

/** The tokens of a line that begins with a keyword, as the server finds them. */
const tokensOf = (line: string) =>
  line.startsWith('var')
    ? [{ length: 3, kind: 'keyword' }, { length: line.length - 3 }]
    : [{ length: line.length }]

function highlight({ blocks }: { blocks: { code: string }[] }) {
  return { complete: true, blocks: blocks.map(({ code }) => ({ lines: code.split('\n').map(tokensOf) })) }
}

const fileOf = (id: string) => ({
  id,
  name: id === 'f1' ? 'report.pdf' : 'picture.svg',
  contentType: id === 'f1' ? 'application/pdf' : 'image/svg+xml',
  size: 4200,
  downloadURL: id === 'dark' ? drawing('dark', '#222') : PICTURE,
})

/** The response to each request, by its method and the beginning of its path below `/v1`. */
const ANSWERS: readonly (readonly [
  request: string,
  answer: (rest: string, query: URLSearchParams, body: unknown) => unknown,
])[] = [
  [`GET /orgs/${ORGANIZATION}/members`, (_, query) => members(query)],
  [`GET /orgs/${ORGANIZATION}/teams`, () => ({ items: [{ id: 't1', title: say('Writers', '作者') }] })],
  [`GET ${CONTENT}/outline`, (_, query) => outline(query)],
  [`GET ${CONTENT}/files/`, (id) => fileOf(id)],
  [`GET ${CONTENT}/reusable-contents/`, () => ({ title: say('Support hours', '支持时间') })],
  [`POST ${CONTENT}/highlight`, (_, __, body) => highlight(body as Parameters<typeof highlight>[0])],
  ['GET /users/', (id) => PEOPLE.find((one) => one.id === id) ?? PEOPLE[0]],
  [`POST /orgs/${ORGANIZATION}/sites/parts/pictures`, () => ({ url: PICTURE })],
]

/** Answers the requests of the console to the API from now on. */
export function answerRequests(): void {
  const ask = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, location.href)
    if (!pathname.startsWith('/v1/')) return ask(input, init)
    const request = `${init?.method ?? 'GET'} ${pathname.slice('/v1'.length)}`
    const [start, answer] = ANSWERS.find(([one]) => request.startsWith(one)) ?? []
    if (start === undefined || !answer) throw new Error(`The page of components has no answer to ${request}`)
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    return Response.json(answer(request.slice(start.length), searchParams, body))
  }
}
