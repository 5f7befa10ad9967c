/** A website on a local server. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { after } from 'node:test'
import { PNG } from '../picture.ts'

/** What a path returns: a page of HTML, or a status with headers and a body. */
export type Reply = string | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }

export interface Website {
  url: string
  host: string
  /** The requests in the order in which they came, and how many there were at once. */
  requests: { path: string; agent: string }[]
  most: () => number
}

/** Starts a website. Paths that it does not have are 404. */
export async function startWebsite(
  pages: Record<string, Reply> | ((path: string, request: IncomingMessage) => Reply | undefined),
): Promise<Website> {
  const requests: Website['requests'] = []
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push({ path, agent: request.headers['user-agent'] ?? '' })
    open += 1
    most = Math.max(most, open)
    const reply = typeof pages === 'function' ? pages(path, request) : pages[path]
    const {
      status = 200,
      headers = {},
      body = '',
    } = reply === undefined ? { status: 404 } : typeof reply === 'string' ? { body: reply } : reply
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    setImmediate(() => {
      open -= 1
      response.end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, requests, most: () => most }
}

const NAV =
  '<nav><a href="/docs/">Home</a><a href="/docs/guide/">Guide</a><a href="/docs/zebra">Zebra</a></nav>'
const page = (title: string, body: string, head = '') =>
  `<!doctype html><html><head><title>${title} | Acme</title>${head}</head><body><header class="site-header"><a href="/">Acme</a></header>${NAV}<div class="layout sidebar-open"><main><div class="breadcrumbs"><a href="/docs/">Docs</a></div><h1>${title}</h1>${body}<div class="tocCollapsible_ETCw"><ul><li><a href="#x">X</a></li></ul></div><a class="theme-edit-this-page" href="https://git.example/edit">Edit this page</a></main></div><footer>© Acme</footer><script>alert(1)</script></body></html>`

/** A site of documentation with what sites have: duplicates, redirects, other hosts, a sitemap and rules. */
export const DOCS: Record<string, Reply> = {
  '/robots.txt': {
    headers: { 'content-type': 'text/plain' },
    body: 'User-agent: *\nDisallow: /docs/private\nDisallow: /docs/*.secret\n\nUser-agent: Other\nDisallow: /\n',
  },
  '/sitemap.xml': {
    headers: { 'content-type': 'application/xml' },
    body: '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>SELF/docs/orphan</loc></url><url><loc>SELF/blog/a</loc></url><url><loc>https://elsewhere.invalid/docs/x</loc></url><url><loc>SELF/docs/private/b</loc></url></urlset>',
  },
  '/docs/': page(
    'Welcome',
    '<p onclick="alert(1)">See the <a href="guide/setup.html?utm_source=x#first-step">setup</a>, <a href="/docs/private/a">private</a>, <a href="/blog/a">blog</a>, <a href="https://other.invalid/">other</a>, <a href="javascript:alert(1)">bad</a>, <a href="/docs/file.pdf">file</a>, <a href="/docs/gone">gone</a>, <a href="/docs/moved">moved</a>, <a href="/docs/away">away</a>, <a href="/docs/copy">copy</a> and <a href="/docs/loop/">loop</a>.</p><p><img src="/img/a.png" alt="A"><img src="/img/missing.png" alt="M"></p>',
  ),
  '/docs/guide/': page('Guide', '<p>Steps</p>'),
  '/docs/guide/setup.html': page(
    'Set up',
    '<h2 id="first-step">First step</h2><p>Back to <a href="../index.html">home</a>.</p><p><img data-src="../../img/a.png"></p>',
  ),
  '/docs/zebra': page('Zebra', '<p>Text</p>', '<link rel="canonical" href="/docs/zebra">'),
  '/docs/copy': page('Zebra copy', '<p>Text</p>', '<link rel="canonical" href="/docs/zebra">'),
  '/docs/moved': { status: 301, headers: { location: '/docs/guide/' } },
  '/docs/away': { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
  '/docs/loop/': { status: 302, headers: { location: '/docs/loop/' } },
  '/docs/orphan': page('Orphan', '<p>Only in the sitemap</p>'),
  '/docs/private/a': page('Private', '<p>Secret</p>'),
  '/docs/private/b': page('Private', '<p>Secret</p>'),
  '/blog/a': page('Blog', '<p>Not docs</p>'),
  '/img/a.png': { headers: { 'content-type': 'image/png' }, body: PNG },
}

/** A page of the fixture, for sites of other tests. */
export const pageOfSite = page
