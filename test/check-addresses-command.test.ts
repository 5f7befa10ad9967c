/** `lectern import --check-addresses`: the sitemaps that it reads, and the spaces that it compares them with. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { archiveOf } from './importing.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const { ada, url } = await createWorld()

/** What the old website returns, by path. */
const served = new Map<string, Buffer | string>()
const website = createServer((request, response) => {
  const body = served.get(request.url ?? '')
  response.writeHead(body === undefined ? 404 : 200).end(body)
})
website.listen(0, '127.0.0.1')
await once(website, 'listening')
after(() => website.close())
const old = `http://127.0.0.1:${(website.address() as AddressInfo).port}`

const sitemapOf = (addresses: readonly string[], kind: 'url' | 'sitemap' = 'url') =>
  `<urlset>${addresses.map((address) => `<${kind}><loc>${address}</loc></${kind}>`).join('')}</urlset>`

function checking(archive: string, sitemap: string, ...more: string[]) {
  const connection = ['--url', url, '--token', ada.token]
  return runHere(['import', archive, '--check-addresses', sitemap, ...more, ...connection], {
    LECTERN_DATA: folder.path,
  })
}

function archiveAt(name: string, files: Record<string, string>): string {
  const path = join(folder.path, name)
  writeFileSync(path, archiveOf(files))
  return path
}

const small = archiveAt('small.zip', { 'README.md': '# Small\n', 'guide.md': '# Guide\n' })

test('a sitemap is downloaded with those that it lists, packed or not, each once', async () => {
  const requests: string[] = []
  website.on('request', ({ url: path = '' }) => requests.push(path))
  served.set('/sitemap.xml', sitemapOf(['/pages.xml.gz', `${old}/more.xml`, '/pages.xml.gz'], 'sitemap'))
  served.set('/pages.xml.gz', gzipSync(sitemapOf([`${old}/docs/`, `${old}/docs/guide`])))
  served.set('/more.xml', sitemapOf([`${old}/docs/gone`, `${old}/docs/guide`]))
  const { code, out, err } = await checking(small, `${old}/sitemap.xml`)
  assert.equal(code, 3, err)
  assert.match(out, /Addresses {2}1 of 3 old addresses are not answered\n {2}\S+\/docs\/gone\n/)
  assert.deepEqual(requests, ['/sitemap.xml', '/pages.xml.gz', '/more.xml'])
})

test('the addresses of several spaces are looked for in each, below its place on the site', async () => {
  const products = archiveAt('products.zip', {
    'docs.yaml': 'title: Acme\ntrees:\n  - docs/api\n  - docs/cloud\n',
    'docs/api/README.md': '# API\n',
    'docs/api/keys.md': '# Keys\n',
    'docs/cloud/README.md': '# Cloud\n',
    'docs/cloud/regions.md': '# Regions\n',
  })
  const first = await runHere(['import', products, '--site', '--url', url, '--token', ada.token], {
    LECTERN_DATA: folder.path,
  })
  const places = await Promise.all(
    [...first.out.matchAll(/\/spaces\/(\w+)$/gm)].map(async ([, id = '']) => {
      const { body } = await ada(`GET /v1/spaces/${id}`)
      return new URL((body as { urls: { published: string } }).urls.published).pathname.split('/').at(-2)
    }),
  )
  assert.deepEqual(places, ['acme', 'cloud'], first.out)
  const list = join(folder.path, 'products.xml')
  const paths = ['', 'keys', 'cloud', 'cloud/regions', 'cloud/keys', 'regions']
  writeFileSync(list, sitemapOf(paths.map((path) => `${old}/docs/${path}`)))
  const { code, out, err } = await checking(products, list, '--site')
  assert.equal(code, 3, err)
  assert.match(
    out,
    /Addresses {2}2 of 6 old addresses are not answered\n.*\/docs\/cloud\/keys\n.*\/docs\/regions\n/,
  )
})

test('a sitemap that cannot be read is named before anything is imported', async () => {
  const many = Array.from({ length: 101 }, (_, nth) => `/of-many-${nth}.xml`)
  served.set('/many.xml', sitemapOf(many, 'sitemap'))
  for (const path of many) served.set(path, sitemapOf([`${old}/a`]))
  served.set('/bomb.xml.gz', gzipSync(Buffer.alloc(51 * 1024 * 1024, ' ')))
  served.set('/torn.xml.gz', gzipSync(sitemapOf([`${old}/a`])).subarray(0, 20))
  served.set('/none.xml', sitemapOf([]))
  served.set('/addresses.xml', sitemapOf(Array.from({ length: 200_001 }, (_, nth) => `${old}/${nth}`)))
  const before = await spaces()
  for (const [path, message] of [
    ['/many.xml', /must list at most 100 sitemaps/],
    ['/bomb.xml.gz', /cannot be read: .*larger than 52428800 bytes/],
    ['/torn.xml.gz', /cannot be read: unexpected end of file/],
    ['/none.xml', /lists no addresses/],
    ['/addresses.xml', /must list at most 200000 addresses/],
    ['/away.xml', /returned 404/],
  ] as const) {
    const { code, out, err } = await checking(small, old + path)
    assert.deepEqual([code, out], [1, ''], path)
    assert.match(err, message, path)
    assert.doesNotMatch(err, /\n {4}at /)
  }
  assert.deepEqual(await spaces(), before)
})

async function spaces(): Promise<number> {
  const { body } = await ada('GET /v1/orgs')
  const [{ id } = { id: '' }] = (body as { items: { id: string }[] }).items
  const { count } = (await ada(`GET /v1/orgs/${id}/spaces`)).body as { count: number }
  return count
}
