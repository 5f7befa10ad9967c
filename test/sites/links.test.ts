/** The targets and titles of the links on a site’s pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_SITES_HOST: 'sites.example.com' })
const { ada, organizationId } = world

const other = await spaceWith(
  world,
  archiveOf({
    'SUMMARY.md': '* [Start](README.md)\n* [Deep dive](deep.md)\n* [Members](members.md)\n',
    'README.md': '# Start\n',
    'deep.md': '# Deep dive\n\n## Part one\n',
    'members.md': '---\nif: visitor.claims.member == true\n---\n\n# The secret title\n',
  }),
  'Reference',
)
const apart = await spaceWith(world, archiveOf({ 'README.md': '# Elsewhere\n' }), 'Apart')
const pagesOf = async (spaceId: string): Promise<Map<string, string>> => {
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content/pages`)
  return new Map((body.pages as { title: string; id: string }[]).map(({ title, id }) => [title, id]))
}
const ids = new Map([...(await pagesOf(other.spaceId)), ...(await pagesOf(apart.spaceId))])
const at = (space: string, title: string) => `/spaces/${space}/pages/${ids.get(title)!}`
const deep = at(other.spaceId, 'Deep dive')
const secret = at(other.spaceId, 'Members')
const elsewhere = at(apart.spaceId, 'Elsewhere')

const card = (url: string) => `{% content-ref url="${url}" %}\n[x](${url})\n{% endcontent-ref %}\n`
/** The public URL of the site that is created below. */
const HOME = 'http://docs.sites.example.com/manual/'
const main = await spaceWith(
  world,
  archiveOf({
    'SUMMARY.md': '* [Welcome](README.md)\n* [Install](install.md)\n',
    'README.md': [
      '# Welcome\n',
      '## Set-Up & more\n',
      `[${deep}](${deep})\n`,
      `[in words](${deep}#part-one)\n`,
      `[/spaces/${other.spaceId}](/spaces/${other.spaceId})\n`,
      ...[deep, secret, elsewhere].map(card),
      ...['reference/deep', 'reference/members', 'nowhere'].map((path) => card(HOME + path)),
      `<${HOME}install#x> [own words](${HOME}Reference/Deep)\n`,
      '[a](install.md#Whats-New) [b](install.md#id-2.0-changes) [c](install.md#nowhere) [d](#setup-more) [e](#100%)\n',
    ].join('\n'),
    'install.md': "# Install\n\n## What's new?\n\n## 2.0 changes\n",
  }),
  'Manual',
)
const made = await ada(`POST /v1/orgs/${organizationId}/sites`, {
  title: 'Manual',
  spaces: [main.spaceId, other.spaceId],
})
const published = await ada(`POST /v1/orgs/${organizationId}/sites/${made.body.id}/publish`)
const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
const base = `/sites/${hostname as string}${new URL(published.body.urls.published as string).pathname}`
const page = (await world.nobody(`GET ${base}`)).text

const install = (await world.nobody(`GET ${base}install`)).text
/** The anchor of the heading of the other page that ends with a word. */
function anchorOn(word: string): string {
  return new RegExp(`id="([^"]*${word})"`).exec(install)![1]!
}

/** The targets of the links with these words, in order. */
const linksTo = (words: string) =>
  [...page.matchAll(/<a([^>]*)>\s*([^<]*?)\s*<\/a/g)]
    .filter(([, , label]) => label === words)
    .map(([, attributes = '']) => /href="([^"]*)"/.exec(attributes)?.[1])

test('a link to a page of another space of the site has the URL and title of that page', () => {
  const address = `${base}reference/deep`
  assert.deepEqual(linksTo('Deep dive'), [address, address, address])
  assert.deepEqual(linksTo('in words'), [`${address}#part-one`])
})

test('a full URL of the site itself has the title of its page, and is no link if the visitor cannot see it', () => {
  assert.equal(published.body.urls.published, HOME)
  assert(linksTo('Install').includes(`${base}install#x`))
  assert.deepEqual(linksTo('own words'), [`${base}reference/deep`])
  assert.deepEqual(linksTo('docs.sites.example.com/manual/reference/members'), [])
  assert.equal(linksTo('docs.sites.example.com/manual/nowhere').length, 1)
})

test('a link to another space of the site has the title of that space', () => {
  assert.deepEqual(linksTo(`/spaces/${other.spaceId}`), [])
  assert.ok(linksTo('Reference').includes(`${base}reference/`))
})

test('links reveal nothing about pages that the visitor cannot see, or about other spaces', () => {
  for (const hidden of ['The secret title', 'Elsewhere', ids.get('Members')!, ids.get('Elsewhere')!])
    assert.ok(!page.includes(hidden), hidden)
})

test('an anchor that differs in punctuation, case or a prefix resolves to the closest heading', () => {
  assert.deepEqual(linksTo('a'), [`${base}install#${anchorOn('new')}`])
  assert.deepEqual(linksTo('b'), [`${base}install#${anchorOn('changes')}`])
  assert.deepEqual(linksTo('c'), [`${base}install#nowhere`])
  assert.deepEqual(linksTo('d'), [`#${/id="(set-up[^"]*)"/.exec(page)![1]!}`])
})

test('a link to a page of another site has its address and its present title, if everyone may see it there', async () => {
  const sites = `/v1/orgs/${organizationId}/sites`
  const { body: site } = await ada(`POST ${sites}`, { title: 'Second', spaces: [apart.spaceId] })
  const path = `${sites}/${site.id}`
  const shown = async () => {
    const { text } = await world.nobody(`GET ${base}`)
    return /<a[^>]*href="(http:\/\/docs\.sites\.example\.com\/second[^"]*)".*?(Elsewhere|Moved on)/s
      .exec(text)
      ?.slice(1)
  }
  const there = 'http://docs.sites.example.com/second/'
  const forMachines = async () => {
    const texts = ['readme.md', 'llms-full.txt'].map((file) => world.nobody(`GET ${base}${file}`))
    return (await Promise.all(texts)).map(({ text }) => text.includes(`(${there})`))
  }
  assert.equal(await shown(), undefined, 'not before it is published')
  assert.deepEqual(await forMachines(), [false, false])
  await ada(`POST ${path}/publish`)
  assert.deepEqual(await shown(), [there, 'Elsewhere'])
  assert.deepEqual(await shown(), [there, 'Elsewhere'])
  assert.deepEqual(await forMachines(), [true, true])

  for (const visibility of ['unlisted', 'share-link', 'visitor-auth']) {
    await ada(`PATCH ${path}`, { visibility })
    assert.equal(await shown(), undefined, visibility)
    await ada(`PATCH ${path}`, { visibility: 'public' })
    assert.deepEqual(await shown(), [there, 'Elsewhere'])
  }
  const { items } = (await ada(`GET ${path}/site-spaces`)).body
  const gate = (condition: string | null) => ada(`PATCH ${path}/site-spaces/${items[0].id}`, { condition })
  assert.equal((await gate('visitor.claims.member == true')).status, 200)
  assert.equal(await shown(), undefined, 'a space under a condition')
  await gate(null)
  assert.deepEqual(await shown(), [there, 'Elsewhere'])

  const change = await proposalsIn(world).propose(`/v1/spaces/${apart.spaceId}`, {
    'README.md': '# Moved on\n',
  })
  const merged = await ada(`POST ${change}/merge`)
  assert.equal(merged.status, 200, merged.text)
  assert.deepEqual(await shown(), [there, 'Moved on'])
  await ada(`PATCH ${path}`, { basename: 'third' })
  assert.equal(await shown(), undefined, 'its former address')
  await ada(`PATCH ${path}`, { basename: 'second' })
  assert.deepEqual(await shown(), [there, 'Moved on'])
  await ada(`POST ${path}/unpublish`)
  assert.equal(await shown(), undefined, 'not after it is unpublished')
  assert.deepEqual(await forMachines(), [false, false])
})
