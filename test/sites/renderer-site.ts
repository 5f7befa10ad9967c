/** A site with everything that a renderer in front of the server reads by a separate request. */
import assert from 'node:assert/strict'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { printDocument } from '../../src/core/document/print.ts'
import { BLOCKS } from '../core/document/every-block.ts'
import { computedEntry } from '../computed-entry.ts'
import type { Answer, World } from '../world.ts'
import { siteForReaders } from './reading.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const answers = (schema: object) => ({
  responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } },
})

/** A specification of which pages show one operation, and a page for some readers another one. */
const SPEC = {
  openapi: '3.1.0',
  info: {
    title: 'Shop',
    version: '1',
    description: 'Open {% if visitor.claims.plan == "pro" %}INFO{% endif %}',
  },
  servers: [{ url: 'https://api.example.com' }],
  security: [{ key: [] }],
  paths: {
    '/orders': { get: { summary: 'Orders', ...answers(ref('Order')) } },
    '/refunds': { get: { summary: 'Refunds', ...answers(ref('Refund')) } },
    '/blocks': { get: { summary: 'Blocks', ...answers({ type: 'string' }) } },
    '/admin': { get: { summary: 'Admin', ...answers(ref('Admin')) } },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-K' } },
    schemas: {
      Order: { type: 'object', properties: { line: ref('Line'), order: ref('Order') } },
      Line: { type: 'object', description: 'A line' },
      Refund: { type: 'object' },
      Admin: { type: 'object' },
    },
  },
}

const PRO = 'visitor.claims.plan == "pro"'
const operation = (path: string, spec = 'shop') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="get" %}\n[x](https://example.com)\n{% endopenapi-operation %}\n`

const everyBlock = () =>
  printDocument({ object: 'document', data: {}, nodes: Object.values(BLOCKS).map(({ block }) => block) })

/** What only readers with the claim see. */
export const pro = { plan: 'pro' }

/** Publishes the site. @returns it, and the people whom its pages mention */
export async function siteForRenderer(world: World, title: string) {
  const { ada, organizationId } = world
  const mentioned = await world.person(`${title} mentioned`, 'read')
  const hidden = await world.person(`${title} hidden`, 'read')
  const unknown = await world.person(`${title} unknown`)
  const silent = await world.person(`${title} silent`, 'read')
  const at = (person: { id: string }) => `[@](/users/${person.id} "mention")`
  for (const slug of ['shop', 'pages', 'unused']) {
    const made = await ada(`PUT /v1/orgs/${organizationId}/openapi/${slug}`, {
      source: { text: JSON.stringify(SPEC) },
    })
    assert(made.status < 300, made.text)
  }
  await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)

  const site = await siteForReaders(world, title, {
    'README.md': '# Welcome\n\nHello.\n',
    'SUMMARY.md': `# Summary\n\n* [Welcome](README.md)\n* [Operation](operation.md)\n* [People](people.md)\n* [Shared](shared.md)\n* [Pro](pro.md)\n* [Mixed](mixed.md)\n* [Empty](empty.md)\n* [Blocks](blocks.md)\n\n## API\n\n${computedEntry('pages')}`,
    'operation.md': `# Operation\n\n${operation('/orders')}`,
    'people.md': `# People\n\nAsk ${at(mentioned)} or ${at(unknown)}.\n`,
    'shared.md': '# Shared\n\n{% include ".gitbook/includes/note.md" %}\n',
    'pro.md': `---\nif: ${PRO}\n---\n\n# Pro\n\n${at(hidden)}\n\n${operation('/refunds')}\n{% include ".gitbook/includes/secret.md" %}\n`,
    'mixed.md': `# Mixed\n\n{% if ${PRO} %}\n${operation('/blocks')}\n{% include ".gitbook/includes/block.md" %}\n{% endif %}\n`,
    'empty.md': '# Empty\n',
    'blocks.md': `# Blocks\n\n${everyBlock()}\n{% embed url="https://gist.github.com/ada/0123456789abcdef0123" %}\n`,
    '.gitbook/includes/note.md': `A note for all.\n\n{% if ${PRO} %}\nA note for some.\n{% endif %}\n`,
    '.gitbook/includes/secret.md': 'A secret note.\n',
    '.gitbook/includes/block.md': 'A note in a block.\n',
    '.gitbook/includes/loose.md': 'A note on no page.\n',
  })
  const { revision } = (await ada(`GET /v1/spaces/${site.spaceId}`)).body
  const { items } = (await ada(`GET /v1/spaces/${site.spaceId}/content/reusable-contents`)).body

  return {
    ...site,
    people: { mentioned, hidden, unknown, silent },
    revision: revision as string,
    reusables: Object.fromEntries(
      (items as { id: string; title: string }[]).map((one) => [one.title, one.id]),
    ),
  }
}

/** Calls the API with the site token of a reader. */
export async function tokenCaller(world: World, url: string, visitor?: object) {
  const resolved = await world.nobody('POST /v1/urls/published', { url, ...(visitor ? { visitor } : {}) })
  assert(resolved.body.apiToken, resolved.text)
  const headers = { authorization: `Bearer ${resolved.body.apiToken}` }
  const call = (request: string, body?: unknown): Promise<Answer> => world.nobody(request, body, headers)
  return Object.assign(call, { resolved: resolved.body })
}
