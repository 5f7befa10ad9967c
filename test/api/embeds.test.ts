/** What the API says of the content at a web address, and what it takes from the server there. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { knownEmbed } from '../../src/core/web/embeds.ts'
import { readPageCard } from '../../src/core/sources/html/page-card.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { leastCost } from '../cpu.ts'
import { tokenCaller } from '../sites/renderer-site.ts'
import { siteForReaders } from '../sites/reading.ts'
import { createWorld } from '../world.ts'

const page = (head: string): RequestListener => {
  return (_, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<!doctype html><html><head>${head}</head><body><title>Body</title></body></html>`)
}

const PAGES: Record<string, RequestListener> = {
  '/full': page(
    `<title>Plain</title><meta property="og:title" content="Tea &amp; &quot;cake&quot;"><meta content='The Site' property=og:site_name><link rel="shortcut icon" href="/icon.png">`,
  ),
  '/title': page('<title>\n Only a\ttitle <b></title>'),
  '/script': page(
    `<meta property="og:title" content="<script>alert(1)</script>"><link rel=icon href="javascript:alert(1)">`,
  ),
  '/none': page(''),
  '/text': (_, response) => response.setHeader('content-type', 'text/plain').end('<title>No</title>'),
  '/missing': (_, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<title>No</title>'),
  '/long': (_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Long</title>' + '<p>'.repeat(2_000_000)),
}
let requests = 0
const server = createServer((request, response) => {
  requests += 1
  PAGES[request.url ?? '']?.(request, response)
}).listen(0, '127.0.0.1')
await new Promise((done) => void server.once('listening', done))
after(() => server.closeAllConnections())
after(() => server.close())
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

const world = await createWorld()
const { ada, nobody } = world
const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Home\n' }))
const embed = (url: string) => ada(`GET /v1/spaces/${spaceId}/embed?url=${encodeURIComponent(url)}`)

const cards: [path: string, card: object][] = [
  ['/full', { title: 'Tea & "cake"', site: 'The Site', icon: `http://${host}/icon.png` }],
  ['/title', { title: 'Only a title' }],
  ['/script', { title: '<script>alert(1)</script>' }],
  ['/none', {}],
  ['/text', {}],
  ['/missing', {}],
  ['/long', { title: 'Long' }],
]
for (const [path, card] of cards)
  test(`the card of ${path} has what the head of the page says, as plain text`, async () => {
    const { status, body, text } = await embed(`http://${host}${path}`)
    assert.equal(status, 200, text)
    assert.deepEqual(body, { type: 'link', title: `127.0.0.1${path}`, site: '127.0.0.1', ...card })
  })

test('the server asks a site once, and no address that is not public', async () => {
  const before = requests
  await embed(`http://${host}/full`)
  assert.equal(requests, before)
  const { body } = await embed('http://10.0.0.1/secret')
  assert.deepEqual(body, { type: 'link', title: '10.0.0.1/secret', site: '10.0.0.1' })
  assert.equal((await embed('ftp://example.com')).status, 400)
})

const FRAMES: [url: string, frame: string | undefined][] = [
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://www.youtube.com/watch?v="><script>', undefined],
  ['https://www.youtube.com/@someone', undefined],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
  [
    'https://www.loom.com/share/0123456789abcdef0123456789abcdef?sid=1',
    'https://www.loom.com/embed/0123456789abcdef0123456789abcdef',
  ],
  [
    'https://www.figma.com/file/abcdefgh1234/Name?node-id=1',
    'https://www.figma.com/embed?embed_host=share&url=https%3A%2F%2Fwww.figma.com%2Ffile%2Fabcdefgh1234%2FName%3Fnode-id%3D1',
  ],
  ['https://codepen.io/ada/pen/abcDEF', 'https://codepen.io/ada/embed/abcDEF?default-tab=result'],
  ['https://codesandbox.io/s/new-box', 'https://codesandbox.io/embed/new-box'],
  [
    'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
    'https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC',
  ],
  [
    'https://gist.github.com/ada/0123456789abcdef0123',
    'https://gist.github.com/ada/0123456789abcdef0123.pibb',
  ],
  ['https://github.com/ada/engine', undefined],
  ['https://youtube.com.example/watch?v=dQw4w9WgXcQ', undefined],
  ['javascript:alert(1)', undefined],
]
test('the content of known sites has a frame, whose address is made here', () => {
  for (const [url, frame] of FRAMES) assert.equal(knownEmbed(url)?.frame, frame, url)
})

test('the frame of a known site needs no answer of it', async () => {
  const { body } = await embed('https://gist.github.com/ada/0123456789abcdef0123')
  assert.equal(body.type, 'rich')
  assert.equal(body.site, 'GitHub Gist')
  assert.match(body.html, /^<iframe src="https:\/\/gist\.github\.com\/ada\/0123456789abcdef0123\.pibb" /)
})

test('a site token reads only the addresses that pages embed for its reader', async () => {
  const tag = (path: string) => `{% embed url="http://${host}/${path}" %}\n`
  const site = await siteForReaders(world, 'Embeds', {
    'README.md': `# Home\n\n${tag('full')}\n{% include ".gitbook/includes/part.md" %}\n`,
    'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Pro](pro.md)\n',
    'pro.md': `---\nif: visitor.claims.plan == "pro"\n---\n\n# Pro\n\n${tag('none')}`,
    '.gitbook/includes/part.md': tag('title'),
    '.gitbook/includes/loose.md': tag('script'),
  })
  const read = await tokenCaller(world, site.address)
  const expected = { full: 200, title: 200, none: 404, script: 404, elsewhere: 404 }
  for (const [path, status] of Object.entries(expected)) {
    const answer = await read(`GET /v1/spaces/${site.spaceId}/embed?url=http://${host}/${path}`)
    assert.equal(answer.status, status, `${path}: ${answer.text}`)
  }
  assert.equal((await nobody(`GET /v1/spaces/${site.spaceId}/embed?url=http://${host}/full`)).status, 401)
})

test('reading the head of a page takes linear time', async () => {
  const url = 'https://example.com/'
  const heads = [
    '<meta ',
    '<',
    '<meta a=',
    '<title>',
    '<meta x="',
    '<link rel=icon href=',
    '<a>',
    'a=b ',
    '&',
    '<meta a a a a>',
  ]
  for (const head of heads) {
    const cost = (times: number) => leastCost(0, () => readPageCard(head.repeat(times), url))
    const [small, large] = [await cost(2_000), await cost(32_000)]
    assert(large < Math.max(5, small) * 50, `${head}: ${small} ms, ${large} ms`)
  }
})
