/** Each text of an OpenAPI specification, with a condition, on each surface on which readers meet it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { readPdf, withoutPdfTools } from '../books/tools.ts'
import { computedEntry } from '../computed-entry.ts'
import { assertValidBook } from '../core/epub/check.ts'
import { indexed } from '../search/indexing.ts'
import { createWorld } from '../world.ts'
import { bearer, soon } from './reader-table.ts'
import { callTool, resolveFor } from './reader-surfaces.ts'
import { siteForReaders } from './reading.ts'

const IF = '{% if visitor.claims.plan == "pro" %}'
const END = '{% endif %}'

type Kind = 'block' | 'inline' | 'line' | 'name' | 'value' | 'found' | 'unshown'

/** The fields with texts. The words of a text have its number, so that each is found where it is shown. */
const fields: { name: string; kind: Kind; n: string }[] = []
function field(name: string, kind: Kind): string {
  const n = `${fields.length}X`
  fields.push({ name, kind, n })
  return n
}
/** A description with a block under a condition. */
function described(name: string): string {
  const n = field(name, 'block')
  return `FRONT${n}\n\n${IF}\n\n# SHOWN${n}\n\n${END}\n\nBEHIND${n}`
}
function around(name: string, kind: Kind, word: string): string {
  const n = field(name, kind)
  return `FRONT${n} ${IF} ${word}${n} ${END} BEHIND${n}`
}
/** A description with a condition in a line. */
const inline = (name: string) => around(name, 'inline', 'SHOWN')
/** A text of one line that is no Markdown. */
const line = (name: string) => around(name, 'line', 'SECRET')
/** A value, which is code. */
const value = (name: string) => around(name, 'value', 'SHOWN')
/** A text that search finds, and no page shows. */
const found = (name: string) => around(name, 'found', 'SECRET')
/** A text that readers see nowhere. */
const unshown = (name: string) => around(name, 'unshown', 'SECRET')

const ref = (name: string) => ({ $ref: `#/components/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const SPEC = {
  openapi: '3.1.0',
  info: { title: unshown('info'), version: '1', description: unshown('info') },
  tags: [{ name: 'Orders', description: unshown('tag'), externalDocs: { description: unshown('docs') } }],
  servers: [{ url: 'https://api.example.com', description: unshown('server') }],
  security: [{ key: [] }],
  paths: {
    '/orders/{id}': {
      summary: unshown('summary of a path'),
      description: unshown('description of a path'),
      put: {
        tags: [line('tag')],
        operationId: 'putOrder',
        summary: line('summary of an operation'),
        description: described('operation'),
        parameters: [
          { in: 'path', name: 'id', required: true, description: described('path parameter') },
          { in: 'query', name: 'by', description: inline('query parameter'), schema: { type: 'string' } },
          {
            in: 'header',
            name: 'X-A',
            schema: { type: 'string', description: described('parameter schema') },
          },
          { in: 'cookie', name: 'c', description: described('cookie') },
          ref('parameters/Page'),
        ],
        requestBody: { description: described('body'), ...json(ref('schemas/Order')) },
        responses: {
          200: {
            description: inline('short response'),
            headers: { ETag: { description: described('header'), schema: { type: 'string' } } },
            links: { next: { operationId: 'putOrder', description: found('link') } },
          },
          201: { description: described('long response') },
          404: ref('responses/Missing'),
        },
        callbacks: {
          done: {
            '{$request.body#/url}': {
              post: {
                summary: line('summary of a callback'),
                description: described('callback'),
                requestBody: { description: described('body of a callback'), ...json({ type: 'string' }) },
              },
            },
          },
        },
      },
    },
    '/plain': {
      get: {
        tags: [line('other tag')],
        operationId: line('operationId'),
        description: `FRONT {%- if a -%} NEVER {%- endif -%} {% unless a %} NEVER {% endunless %} BEHIND`,
        parameters: [
          { in: 'query', name: 'open', description: `OPEN1 ${IF} SHOWN` },
          { in: 'query', name: 'next', description: 'OPEN2' },
          {
            in: 'query',
            name: 'code',
            description: `\`${IF}\` OPEN3 ${IF} SHOWN \`${END}\` SHOWN ${END} OPEN4\n\n\`\`\`\n${IF} OPEN5\n\`\`\`\n\nOPEN6`,
          },
        ],
        responses: {
          200: { description: 'Fine' },
          // Nothing is left of these for readers who do not meet the condition.
          501: { description: `${IF} SHOWN ${END}` },
          502: { description: `${IF}\n\nSHOWN\n\n- SHOWN\n\n${END}` },
        },
      },
    },
    '/hidden': { get: { tags: [`${IF} SECRET ${END}`], summary: `${IF} SECRET ${END}`, responses: {} } },
  },
  webhooks: {
    hook: { post: { summary: line('summary of a webhook'), description: inline('webhook') } },
  },
  components: {
    parameters: { Page: { in: 'query', name: 'page', description: described('shared parameter') } },
    responses: { Missing: { description: described('shared response') } },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-K', description: unshown('security scheme') },
    },
    schemas: {
      Order: {
        type: 'object',
        title: found('title of a schema with a name'),
        description: described('schema'),
        additionalProperties: { type: 'string', description: described('other properties') },
        properties: {
          note: { type: 'string', description: described('property') },
          deep: { type: 'object', properties: { er: { type: 'string', description: described('deep') } } },
          kind: {
            oneOf: [
              { title: line('title of a variant'), description: described('variant') },
              { title: 'B', properties: { b: {} } },
            ],
          },
          list: { type: 'array', items: { type: 'string', description: described('items') } },
          values: {
            type: 'string',
            enum: [value('enum')],
            default: value('default'),
            pattern: value('pattern'),
          },
          [around('name of a property', 'name', 'SHOWN')]: { type: 'string', example: value('example') },
        },
      },
    },
  },
}

const world = await createWorld()
const block = (kind: string, attributes: string) =>
  `{% openapi-${kind} spec="shop" ${attributes} %}\n[shop](https://example.com)\n{% endopenapi-${kind} %}\n`
const site = await siteForReaders(world, 'Specified', {
  'README.md': '# Welcome\n',
  'secret.md': `---\nif: visitor.claims.plan == "pro"\n---\n\n# Hidden page\n`,
  'blocks.md': `# Blocks\n\n${block('webhook', 'name="hook" method="post"')}\n${block('operation', 'path="/orders/{id}" method="put"')}`,
  'SUMMARY.md': `# Summary\n\n* [Welcome](README.md)\n* [Secret](secret.md)\n* [Blocks](blocks.md)\n${computedEntry('shop')}\n## By operation\n\n${computedEntry('shop', '\n    grouping: by-operation')}`,
})
const secret = `${site.address}secret`
const links = [
  `[LINKING](${secret})`,
  `[LINKING](${secret.replace(/^https?:/, '')})`,
  `[LINKING](${secret.replaceAll('/', '&#47;')})`,
  `[LINKING](${secret.replaceAll('/', String.raw`\/`)})`,
  `[LINKING][l]\n\n[l]: ${secret}`,
  `<a href="${secret}">LINKING</a>`,
  `<div align="center"><a href='${secret}'>LINKING</a></div>`,
  `{% if true %}\n\n- [LINKING](${secret})\n\n{% endif %}`,
]
const { parameters, responses } = SPEC.paths['/plain'].get
for (const [n, description] of links.entries()) {
  parameters.push({ in: 'query', name: `linking ${n}`, description })
  Object.assign(responses, { [400 + n]: { description } })
}
Object.assign(SPEC.paths['/plain'].get, { externalDocs: { url: secret } })
await world.ada(`PUT /v1/orgs/${world.organizationId}/openapi/shop`, {
  source: { text: JSON.stringify(SPEC) },
})
const task = { organizationId: world.organizationId } as never
await processOpenApi(world.app.services, 60_000)(task, {} as never)
assert.equal((await world.ada(`PUT ${site.at}/customization`, { pdf: { enabled: true } })).status, 200)
await indexed(world)

/** Checks the text of a surface with all pages. */
function checkAll(surface: string, text: string, isPro: boolean): void {
  checkHidden(surface, text, isPro)
  for (const { name, kind, n } of fields) {
    const has = (word: string) => text.includes(word + n)
    const place = `${surface}: ${kind} ${name}`
    if (kind === 'unshown' || kind === 'found') continue
    assert(has('FRONT'), place)
    assert(has('BEHIND'), place)
    if (kind !== 'line') assert.equal(has('SHOWN'), isPro || kind === 'name' || kind === 'value', place)
  }
  for (let n = 1; n <= 6; n++) assert(text.includes(`OPEN${n}`), `${surface}: OPEN${n}`)
}

const CODE = new RegExp(
  `SHOWN(?:${fields.flatMap(({ kind, n }) => (kind === 'name' || kind === 'value' ? [n] : [])).join('|')})`,
  'g',
)

/** Checks that a text has nothing that the reader, or anybody, may not see. */
function checkHidden(surface: string, text: string, isPro: boolean): void {
  assert.doesNotMatch(text, /secret\d|NEVER/i, surface)
  if (isPro) return
  assert.doesNotMatch(text.replace(CODE, ''), /shown\d|SHOWN/i, surface)
  assert.doesNotMatch(text, /specified\/secret|Hidden page/, surface)
}

const READERS = {
  stranger: { isPro: false, headers: {} as Record<string, string> },
  'a reader with the claim': { isPro: true, headers: bearer({ plan: 'pro', exp: soon() }, site.privateKey) },
}

for (const [reader, { isPro, headers }] of Object.entries(READERS)) {
  const { apiToken } = (await resolveFor(world, site, { headers })).body
  const api = async (path: string, body?: object) => {
    const answer = await world.nobody(path, body, { authorization: `Bearer ${apiToken}` })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer
  }
  const at = `GET /v1/spaces/${site.spaceId}`
  const pages = (await api(`${at}/content/pages`)).body.pages as {
    id: string
    path: string
    type: string
    pages: never[]
  }[]
  const below = (some: typeof pages): typeof pages => some.flatMap((page) => [page, ...below(page.pages)])
  // The first page is at the address of the site itself.
  const all = below(pages).filter(({ type }, n) => n > 0 && type === 'document')
  const read = async (path: string) => {
    const { status, text } = await site.get(path, headers)
    assert.equal(status, 200, path)
    return text
  }

  test(`${reader}: every text on the pages of a site, in their Markdown and in the protocol for models`, async () => {
    const html: string[] = []
    const markdown: string[] = []
    const protocol: string[] = []
    for (const { path } of all) {
      html.push(await read(path))
      markdown.push(await read(`${path}.md`))
      const { content } = await callTool(world, site.base, {
        name: 'read_page',
        input: { page: path },
        headers,
      })
      protocol.push(content[0].text)
    }
    for (const [surface, texts] of Object.entries({ html, markdown, protocol })) {
      checkAll(surface, texts.join('\n'), isPro)
      const parts = texts.flatMap((text) => text.match(/<summary>50[12]/g) ?? [])
      assert.equal(parts.length > 0, isPro, `${surface}: ${parts.length}`)
      assert.match(texts.join('\n'), /501/, surface)
      const linking = texts.filter((one) => one.includes('LINKING'))
      assert(linking.length > 0, surface)
      for (const text of linking) assert.equal(text.split('specified/secret').length > 8, isPro, surface)
    }
  })

  test(`${reader}: every text in the lists and texts for models`, async () => {
    checkAll('llms-full.txt', await read('llms-full.txt'), isPro)
    for (const path of ['llms.txt', 'sitemap-pages.xml']) checkHidden(path, await read(path), isPro)
  })

  test(`${reader}: every text in search`, async () => {
    const inApi = async (query: string) =>
      (await api(`POST ${site.at}/search`, { query, scope: { mode: 'all' } })).text
    const inSite = async (query: string) =>
      (await read(`~/search?list&q=${query}`)).replace(/ data-note="[^"]*"|<\/?mark>/g, '')
    const inProtocol = async (query: string) =>
      (await callTool(world, site.base, { name: 'search_pages', input: { query }, headers })).content[0].text
    for (const { name, kind, n } of fields) {
      // Pages of specifications do not have webhooks, and blocks on other pages are not searched.
      const isFound = kind !== 'value' && kind !== 'unshown' && !name.endsWith('webhook')
      const words = {
        FRONT: isFound,
        BEHIND: isFound,
        // As on other pages, search finds nothing of conditions within a line.
        SHOWN: (kind === 'block' && isPro) || kind === 'name',
        SECRET: false,
      }
      for (const [word, isHere] of Object.entries(words))
        for (const search of [inSite, inApi]) {
          const list = await search(word + n)
          checkHidden(`search of ${name}`, list, isPro)
          assert.equal(list.includes(word + n), isHere, `${word} of ${name}: ${list}`)
        }
    }
    const { n } = fields.find(({ name }) => name === 'operation')!
    assert.equal((await inProtocol(`SHOWN${n}`)).includes('FRONT'), isPro)
    checkHidden('search_pages', await inProtocol('LINKING'), isPro)
  })

  test(`${reader}: every text in the formats of the API`, async () => {
    checkHidden('pages', JSON.stringify(pages), isPro)
    const markdown: string[] = []
    for (const { id } of all) {
      markdown.push((await api(`${at}/content/page/${id}?format=markdown&evaluated=false`)).text)
      for (const query of ['format=document', 'format=none'])
        checkHidden(query, (await api(`${at}/content/page/${id}?${query}`)).text, isPro)
    }
    checkHidden('markdown', markdown.join('\n'), isPro)
  })

  test(`${reader}: every text in the content of the specification`, async () => {
    const path = `/v1/orgs/${world.organizationId}/openapi/shop/versions/latest/content`
    const { body, headers: sent } = await api(`GET ${path}`)
    const { specification } = body.filesystem[0]
    assert.equal(specification.paths['/plain'].get.externalDocs?.url, isPro ? secret : undefined)
    const descriptions = (specification.paths['/plain'].get.parameters as typeof parameters)
      .filter(({ name }) => name.startsWith('linking'))
      .map((one) => one.description.replaceAll('&#47;', '/').replaceAll('\\/', '/'))
    assert.equal(descriptions.length, links.length)
    for (const [n, text] of descriptions.entries()) {
      // Nothing evaluates the condition.
      if (links[n]?.includes('{%')) continue
      assert.match(text, /LINKING/)
      assert.equal(text.includes('specified/secret'), isPro, `${links[n]}: ${text}`)
    }
    if (!isPro)
      checkHidden(
        'specification',
        JSON.stringify(body).replaceAll('&#47;', '/').replaceAll('\\/', '/'),
        isPro,
      )
    const authorization = `Bearer ${apiToken}`
    const etag = sent.get('etag') ?? ''
    const again = await world.nobody(`GET ${path}`, undefined, { authorization, 'if-none-match': etag })
    assert.equal(again.status, 304)
  })

  test(`${reader}: every text in an EPUB`, async () => {
    const { url } = (await api(`${at}/pdf?format=epub`)).body
    const book = assertValidBook(Buffer.from(await (await fetch(url)).arrayBuffer()))
    checkAll('EPUB', [...book.values()].join('\n'), isPro)
  })

  test(`${reader}: every text in a PDF`, { skip: withoutPdfTools }, async () => {
    const { url } = (await api(`${at}/pdf`)).body
    checkAll('PDF', readPdf(new Uint8Array(await (await fetch(url)).arrayBuffer())).text, isPro)
  })
}
