/** Each place in which a condition can begin or end, on each surface on which readers meet the content of a page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertValidBook } from '../core/epub/check.ts'
import {
  CODE_PLACES,
  CONTAINERS,
  DATA_PLACES,
  OPEN_PLACES,
  TEXT_PLACES,
  TITLED_CONTAINERS,
  TITLED_PLACES,
  VALUE_PLACES,
  WHOLE_PLACES,
} from '../core/condition-places.ts'
import { readPdf, withoutPdfTools } from '../books/tools.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { bearer, soon } from './reader-table.ts'
import { resolveFor } from './reader-surfaces.ts'
import { siteForReaders } from './reading.ts'

const IF = '{% if visitor.claims.plan == "pro" %}'
const END = '{% endif %}'
/** Tags that only look like conditions, because they are in other brackets, and their ends. */
const IN_OTHER_BRACKETS = {
  '% … %}': ['% if visitor.claims.plan %}', '% endif %}'],
  '(% … %)': ['(% if visitor.claims.plan %)', '(% endif %)'],
  '[% … %]': ['[%- IF visitor.claims.plan -%]', '[%- END -%]'],
  '<% … %>': ['<% if visitor.claims.plan %>', END],
  '{{#…}}': ['{{#visitor.claims.plan}}', '{{/visitor.claims.plan}}'],
  '{{#if …}}': ['{{#if visitor.claims.plan}}', '{{/if}}'],
  '{x … %}': ['{x if visitor.claims.plan %}', END],
}
const OPEN = Object.values(OPEN_PLACES)
const ENDS = Object.values({ ...OPEN_PLACES, ...TITLED_PLACES, ...WHOLE_PLACES })
const UPDATES = '{% updates %}\n{% update date="2026-01-01" %}\nSECRET\n{% endupdate %}\n{% endupdates %}'

/** The bodies of pages by the kind of place. Texts with `SECRET` are under a condition; `SHOWN` is met by some readers only. */
const BODIES: Record<string, string> = {
  ...Object.fromEntries(
    // Each place of a beginning meets another place of an end; `core/document/conditions.test.ts` has all pairs.
    Object.entries({
      ...OPEN_PLACES,
      'formatted code': CODE_PLACES['formatted code']!,
      ...TITLED_PLACES,
      ...WHOLE_PLACES,
      ...DATA_PLACES,
      ...VALUE_PLACES,
    }).map(([name, begin], n) => [
      name,
      `${begin(`BEFORE ${IF} SECRET1`)}\n\nSHOWN SECRET2\n\n${ENDS[(n + 7) % ENDS.length]!(`SECRET3 ${END} AFTER`)}`,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ ...CONTAINERS, ...TITLED_CONTAINERS }).map(([name, container]) => [
      `${name} around both tags`,
      `${IF}\n\nSHOWN\n\n${END}\n\n${container(`BEFORE ${IF} SECRET1`, 'SECRET2', `SECRET3 ${END} AFTER`)}`,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(TEXT_PLACES).map(([name, place]) => [
      name,
      `${place(`x${IF.replaceAll('"', '')}SECRET${END}y`)}\n\n${IF}\n\nSHOWN\n\n${END}`,
    ]),
  ),
  ...Object.fromEntries(
    // Each meets another place; `core/document/lookalikes.test.ts` has all of them.
    Object.entries(IN_OTHER_BRACKETS).map(([name, [begin, end]], n) => {
      const place = OPEN[(n * 3) % OPEN.length]!
      return [
        name,
        `${place(`BEFORE ${begin} SECRET1`)}\n\nSECRET2\n\n${ENDS[n + 7]!(`SECRET3 ${end} AFTER`)}\n\n${IF}\n\nSHOWN\n\n${END}`,
      ]
    }),
  ),
  'the page, up to its end': `${IF}\n\nSHOWN SECRET1`,
  'a line, up to the end of the page': `BEFORE ${IF} SECRET1\n\n# SECRET2\n\n- SHOWN\n\n${UPDATES}`,
  updates: `BEFORE ${IF}\n\nSHOWN\n\n${UPDATES}\n\nSECRET2 ${END} AFTER`,
  'the definition of a link': `a [text][l] b ${IF}\n\nSHOWN\n\n[l]: https://example.com/SECRET\n\n${END}`,
  // Above it is a condition that begins in a formula and ends in a value.
  'the definition of a footnote': `$$a ${IF}$$\n\nSECRET1\n\n{% embed url='https://example.com/${END}' %}\n\na word[^n] b\n\n${IF}\n\nSHOWN\n\n[^n]: SECRET\n\n${END}`,
}
const NAMES = Object.keys(BODIES)
/** The body of a page. Its words have its number, so that each is found where it does not belong. */
const bodyOf = (name: string, n: number) =>
  BODIES[name]!.replaceAll('SECRET', `SECRETX${n}X`).replaceAll('SHOWN', `SHOWN${n}X`)
/** What stands before and behind every body. A body that is not closed ends with its page. */
const isClosed = (name: string) => !/end of the page|to its end/.test(name)
const pageOf = (name: string, n: number) =>
  `# Page ${n}\n\nFRONT${n}X\n\n${bodyOf(name, n)}\n\n${isClosed(name) ? `BEHIND${n}X\n` : ''}`

const world = await createWorld()
const site = await siteForReaders(world, 'Conditions', {
  'README.md': '# Welcome\n\nWelcome.\n',
  'SUMMARY.md': `# Summary\n\n* [Welcome](README.md)\n${NAMES.map((_, n) => `* [Page ${n}](page-${n}.md)`).join('\n')}\n`,
  ...Object.fromEntries(NAMES.map((name, n) => [`page-${n}.md`, pageOf(name, n)])),
})
assert.equal((await world.ada(`PUT ${site.at}/customization`, { pdf: { enabled: true } })).status, 200)
await indexed(world)

const READERS = {
  stranger: { isPro: false, headers: {} },
  'a reader with the claim': { isPro: true, headers: bearer({ plan: 'pro', exp: soon() }, site.privateKey) },
}

/** What the texts of all pages show to a reader: the open ones, and those under a condition that the reader meets. */
function check(surface: string, names: readonly [string, number][], text: string, isPro: boolean): void {
  if (!isPro) assert.doesNotMatch(text, /secret|shown\d/i, surface)
  for (const [name, n] of names) {
    const has = (word: string) => text.includes(`${word}${n}X`)
    const place = `${surface}: ${name}\n${pageOf(name, n)}`
    assert(has('FRONT'), `${place}---\n${text}`)
    if (isClosed(name)) assert(has('BEHIND'), `${place}---\n${text}`)
    assert.equal(has('SHOWN'), isPro, place)
  }
}

const ALL = NAMES.map((name, n) => [name, n] as [string, number])

for (const [reader, { isPro, headers }] of Object.entries(READERS)) {
  const { apiToken } = (await resolveFor(world, site, { headers })).body
  const api = async (path: string, body?: object) => {
    const answer = await world.nobody(path, body, { authorization: `Bearer ${apiToken}` })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer
  }
  const at = `GET /v1/spaces/${site.spaceId}`

  test(`${reader}: every place on the page of the site, in its Markdown and in each format of the API`, async () => {
    for (const entry of ALL) {
      const path = `page-${entry[1]}`
      const { id } = (await api(`${at}/content/path/${path}?format=none`)).body
      for (const surface of [path, `${path}.md`])
        check(surface, [entry], (await site.get(surface, headers)).text, isPro)
      for (const surface of [
        `/content/page/${id}`,
        `/content/page/${id}?format=markdown&evaluated=false`,
        `/content/path/${path}?format=document&dereferenced=true`,
        `/content/page/${id}/document?evaluated=false`,
      ])
        check(surface, [entry], (await api(at + surface)).text, isPro)
    }
  })

  test(`${reader}: every place in the texts for models, and the protocol for models`, async () => {
    check('llms-full.txt', ALL, (await site.get('llms-full.txt', headers)).text, isPro)
    const index = (await site.get('llms.txt', headers)).text
    assert.match(index, /Page 3/)
    if (!isPro) assert.doesNotMatch(index, /secret/i)
    const call = async (name: string, input: object) => {
      const accept = 'application/json, text/event-stream'
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
      return (await world.nobody(`POST ${site.base}~mcp`, message, { ...headers, accept })).text
    }
    // A client may make 120 calls in a minute.
    for (const entry of ALL.filter((_, n) => n % 3 === 0))
      check('~mcp', [entry], await call('read_page', { page: `page-${entry[1]}` }), isPro)
    assert.equal(/secret/i.test(await call('search_pages', { query: 'SHOWN1X' })), isPro)
  })

  test(`${reader}: every place in the search of the site and of the API, and in feeds`, async () => {
    for (const [name, n] of ALL) {
      const query = `SHOWN${n}X`
      const list = (await site.get(`~/search?list&q=${query}`, headers)).text
      assert.equal(list.includes(`page-${n}`), isPro, `${name}: ${list}`)
      const found = (await api(`POST ${site.at}/search`, { query, scope: { mode: 'all' } })).text
      assert.equal(found.includes(`page-${n}`), isPro, `${name}: ${found}`)
      if (!isPro) assert.doesNotMatch(list + found, /secret/i)
      const open = (await site.get(`~/search?list&q=FRONT${n}X`, headers)).text
      assert(open.includes(`page-${n}`), name)
      if (!isPro) assert.doesNotMatch(open, /secret/i)
    }
    for (const [name, n] of ALL.filter(([, one]) => BODIES[NAMES[one]!]!.includes('{% update '))) {
      const { text } = await site.get(`page-${n}/rss.xml`, headers)
      if (!isPro) assert.doesNotMatch(text, /secret/i, name)
      if (name === 'updates') assert.equal(/secret/i.test(text), isPro, text)
    }
  })

  test(`${reader}: every place in an EPUB`, async () => {
    const { url } = (await api(`${at}/pdf?format=epub`)).body
    const texts = assertValidBook(Buffer.from(await (await fetch(url)).arrayBuffer()))
    check('EPUB', ALL, [...texts.values()].join('\n'), isPro)
  })

  test(`${reader}: every place in a PDF`, { skip: withoutPdfTools }, async () => {
    const { url } = (await api(`${at}/pdf`)).body
    const { text } = readPdf(new Uint8Array(await (await fetch(url)).arrayBuffer()))
    check('PDF', ALL, text, isPro)
  })
}
