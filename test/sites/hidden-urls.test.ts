/** A full URL of a site itself is the link to the page that it leads to: a reader who may not see the page gets none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { soon } from './reader-table.ts'
import { jwt, siteForReaders } from './reading.ts'

const world = await createWorld()
const KINDS = ['', '?a=1', '#part', '?a=1#part', '/', '.md']
const at = (home: string, page: string) => KINDS.map((kind) => `${home}${page}${kind}`)

test('links of a page to pages of the site by their full URLs lead only readers who may see these', async () => {
  const page = (pages: string[], url: (page: string) => string[]) =>
    pages
      .flatMap(url)
      .map((one) => `[In Markdown](${one})\n\n<p><a href="${one}">In HTML</a></p>\n`)
      .join('\n')
  // The address of a site follows from its title.
  const { address } = await siteForReaders(world, 'Probe')
  const home = address.replace('probe', 'own-urls')
  const urls = (name: string) => [...at(home, name), ...at(home.replace(/^https?:/, 'HTTP:'), name)]
  const source = `# Links\n\n${page(['secret', 'open'], urls)}`
  const site = await siteForReaders(world, 'Own URLs', {
    'README.md': '# Start\n',
    'links.md': source,
    'secret.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Secret\n',
    'open.md': '# Open\n',
  })
  assert.equal(site.address, home)
  const pro = { authorization: `Bearer ${jwt(site.privateKey, { plan: 'pro', exp: soon() })}` }
  for (const [reader, sees] of [
    [{}, false],
    [pro, true],
  ] as const)
    for (const path of ['links', 'links.md']) {
      const { text, status } = await site.get(path, reader)
      assert.equal(status, 200)
      assert.equal(/(?:href="|\]\(|HTTP:\S*)[^"\s)]*secret/.test(text), sees, `${path}: ${text}`)
      assert.match(text, /(?:href="|\]\()[^"\s)]*open/)
    }
})
