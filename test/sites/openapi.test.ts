/** Operations, webhooks and schemas of OpenAPI specifications on the pages of a site. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { firstOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { axeFindings, DEVICES_BY_RANK, leave, openBrowser, visit, WITHOUT_BROWSER } from './browser.ts'

const world = await createWorld()
const { ada, organizationId } = world

const SPEC = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } }],
  security: [{ token: [] }],
  paths: {
    '/pets/{petId}': {
      parameters: [{ $ref: '#/components/parameters/PetId' }],
      put: {
        operationId: 'updatePet',
        summary: 'Update a pet',
        description:
          'Changes **some** fields.\n\n# Not a heading\n\n{% include "secret.md" %} <script>alert(1)</script>',
        deprecated: true,
        parameters: [
          { in: 'query', name: 'dry run', required: true, schema: { type: 'boolean', default: false } },
          { in: 'header', name: 'If-Match', schema: { type: 'string', pattern: '^".*"$' } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: {
          200: {
            description: 'The pet',
            headers: { ETag: { description: 'Its version', schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
    },
  },
  components: {
    parameters: {
      PetId: { in: 'path', name: 'petId', required: true, schema: { type: 'string', format: 'uuid' } },
    },
    responses: { Missing: { description: 'There is no such pet' } },
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, example: "O'Malley" },
          kind: { type: 'string', enum: ['cat', 'dog'], description: 'Which **animal** it is' },
          age: { type: 'integer', nullable: true, minimum: 0 },
          parent: { $ref: '#/components/schemas/Pet' },
          owner: {
            oneOf: [{ $ref: '#/components/schemas/Person' }, { $ref: '#/components/schemas/Shelter' }],
          },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
      Person: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
      Shelter: {
        allOf: [{ $ref: '#/components/schemas/Person' }, { properties: { beds: { type: 'integer' } } }],
      },
    },
  },
  'x-webhooks': {
    adopted: { post: { summary: 'A pet was adopted', responses: { 200: { description: 'Received' } } } },
  },
}

async function putSpec(document: object, slug = 'pets') {
  await ada(`PUT /v1/orgs/${organizationId}/openapi/${slug}`, { source: { text: JSON.stringify(document) } })
  await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
  const { body } = await ada(`GET /v1/orgs/${organizationId}/openapi/${slug}`)
  assert.deepEqual([body.processingState, body.lastProcessErrorCode], ['complete', undefined])
}
await putSpec(SPEC)

const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md': '# Start\n',
    'update.md':
      '# Update\n\n{% openapi-operation spec="pets" path="/pets/{petId}" method="put" %}\n[pets](https://example.com)\n{% endopenapi-operation %}\n',
    'models.md':
      '# Models\n\n{% openapi-schemas spec="pets" schemas="Pet,Shelter" grouped="true" %}\n[pets](https://example.com)\n{% endopenapi-schemas %}\n',
    'hook.md':
      '# Hook\n\n{% openapi-webhook spec="pets" name="adopted" method="post" %}\n[pets](https://example.com)\n{% endopenapi-webhook %}\n',
    'none.md':
      '# None\n\n{% openapi-operation spec="pets" path="/none" method="get" %}\n[pets](https://example.com)\n{% endopenapi-operation %}\n',
  }),
)
const { address } = await publish(world, spaceId, 'Pets')
const { pathname, hostname } = new URL(address)
const site = `${world.url}/sites/${hostname.split('.')[0]}${pathname}`
const read = async (path: string, base = site) => {
  const answer = await world.nobody(`GET ${base}${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

test('an operation shows its parameters, bodies, responses and code, without JavaScript', async () => {
  const html = await read('update')
  const text = plain(html)
  for (const part of [
    'Update a pet',
    'This operation is deprecated.',
    'Changes some fields.',
    'Server: https://eu.example.com/v1',
    'Authentication: token (bearer)',
    'petId string (uuid), required',
    'dry run boolean, required, default: false',
    'If-Match string, /^".*"$/',
    'Request body (required)',
    'name string, required, length ≥ 1',
    'kind string, allowed values: cat, dog Which animal it is',
    'age integer | null, ≥ 0',
    'parent Pet, described above',
    'owner Person | Shelter',
    'tags string[]',
    '200 – The pet',
    'ETag string Its version',
    '404 – There is no such pet',
    `curl --request PUT 'https://eu.example.com/v1/pets/{petId}?dry+run=false'`,
    `--header 'Authorization: Bearer YOUR_TOKEN'`,
    String.raw`"name": "O'\''Malley"`,
    'requests.request(',
    'http.NewRequest("PUT"',
    'HttpRequest.newBuilder(',
  ])
    assert.ok(text.includes(part), `${part} is not in ${text}`)
  assert.ok(!html.includes('<script>alert'))
  assert.ok(text.includes('{ % include'), 'a tag in a specification is text')
  assert.doesNotMatch(html, /<h\d[^>]*>[^<]*Not a heading/)
})

test('schemas and webhooks are shown, and what is not there is only named', async () => {
  const models = plain(await read('models'))
  for (const part of ['Shelter', 'beds integer', 'email string (email)'])
    assert.ok(models.includes(part), part)
  assert.ok(plain(await read('hook')).includes('A pet was adopted'))
  const none = plain(await read('none'))
  assert.ok(none.includes('/none') && !none.includes('Responses'))
})

test('the Markdown of a page has the description too', async () => {
  const markdown = await read('update.md')
  for (const part of ['**Update a pet**', '`petId` string (uuid), **required**', '```bash'])
    assert.ok(markdown.includes(part), `${part} is not in ${markdown}`)
})

test('a new version shows with the next request, and a deleted specification no longer', async () => {
  const changed = structuredClone(SPEC)
  changed.paths['/pets/{petId}'].put.summary = 'Change a pet'
  await putSpec(changed)
  assert.ok((await read('update')).includes('Change a pet'))
  await ada(`DELETE /v1/orgs/${organizationId}/openapi/pets`)
  assert.ok(!(await read('update')).includes('Change a pet'))
  await putSpec(SPEC)
  assert.ok((await read('update')).includes('Update a pet'))
})

describe('operations, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  const narrow = { name: 'narrow', width: 320, height: 640, theme: 'light' as const }
  for (const device of firstOf([...DEVICES_BY_RANK.slice(0, 2), narrow, ...DEVICES_BY_RANK.slice(2)], 1, 3)) {
    test(`${device.name}: nothing is refused, inaccessible or wider than the page`, async () => {
      const { page, complaints } = await visit(browser, `${site}update`, device)
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
      // Axe itself adds styles, which the policy refuses.
      assert.deepEqual(complaints, [])
      assert.deepEqual(await axeFindings(page), [])
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      assert.ok((await page.evaluate<number>(wider)) <= 0)
      const { LECTERN_TEST_PICTURES: folder } = process.env
      if (folder) await page.screenshot({ path: `${folder}/openapi-${device.name}.png`, fullPage: true })
      await leave(page)
    })
  }
})
