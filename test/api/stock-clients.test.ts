/**
 * Drives each stock client, unmodified, over every operation that its description shares with ours: with a request of
 * the matrix, and reading an organization that has several of each resource. Its description validates every response.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { loadRoutes, type NamedRoute } from '../../src/server/routes.ts'
import { STOCK_CLIENTS, type StockClient } from '../client.ts'
import { onlyLong } from '../effort.ts'
import { fillLists } from '../full-organization.ts'
import { mailbox } from '../mailbox.ts'
import { CALLS } from '../matrix/calls.ts'
import type { Call } from '../matrix/makers.ts'
import { thingsIn } from '../matrix/things.ts'
import { createWorld } from '../world.ts'

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' }, { mail: mailbox() })
const { ada, organizationId } = world
const things = thingsIn(world, { admin: ada, organizationId, domain: 'example.com' })
const full = await fillLists(world)
const routes = await loadRoutes()

type Operation = StockClient['operations'][number]

/** The places in which our responses differ from a description, and why. */
const DIFFERENT: Record<string, string> = {
  // The open-source renderer requires the list that the service returns.
  getLatestOpenAPISpecVersionContent: 'filesystem must be object',
  getOpenAPISpecVersionContentById: 'filesystem must be object',
  // A provider without a URL is not set up yet.
  createOrganizationSAMLProvider: 'ssoURL must match format "uri"',
  getOrganizationSAMLProviderById: 'ssoURL must match format "uri"',
  updateOrganizationSAMLProvider: 'ssoURL must match format "uri"',
  listSAMLProvidersInOrganizationById: 'ssoURL must match format "uri"',
  // Translation settings, which have the path of the translations of these clients.
  createTranslation: "must have required property 'status'",
  getTranslation: "must have required property 'status'",
  updateTranslation: "must have required property 'status'",
  listTranslations: "must have required property 'status'",
}
const DIFFERENT_IN: Record<string, Record<string, string>> = {
  '0.143.2': {
    // External destinations came later.
    getSiteRedirectBySource: 'destination/kind must be equal to one of the allowed values',
    listSiteRedirects: 'destination/kind must be equal to one of the allowed values',
    // So did the external links beside the sections of a site.
    getPublishedContentSite: 'object must be equal to one of the allowed values',
    getSiteStructure: 'object must be equal to one of the allowed values',
  },
  '0.202.0': {
    // A space is kept equal to a repository by a command, and not by an installation at a provider.
    getSpaceGitInfo: "must have required property 'installationId'",
  },
}

const anonymous = (path: string) => path.replace(/^\/v1/, '').replaceAll(/:\w+|\{\w+\}/g, '{}')

/** Our routes that a description has too, at the same method and path. */
function sharedWith({ operations }: StockClient) {
  const declared = new Map(operations.map((one) => [`${one.method} ${anonymous(one.path)}`, one]))
  return routes.flatMap((one) => {
    const operation = declared.get(`${one.route.method} ${anonymous(one.route.path)}`)
    return operation ? [{ one, operation }] : []
  })
}

let counter = 0
/** The call by which the administrator does what a route is for. */
async function callOf({ name }: NamedRoute): Promise<Call> {
  const another = () => world.person(`another-${(counter += 1)}`, 'admin')
  const makes = [CALLS[name] ?? []].flat()
  // Others than the user cannot change the profile.
  const make = name === 'updateUserById' ? makes[1] : makes[0]
  assert(make, `test/matrix/calls.ts has no call of ${name}`)
  return make(things, { person: ada, writes: true, another })
}

/** The call that reads a resource or list of the full organization; undefined if it has none. */
function readingOf({ route }: NamedRoute): Call | undefined {
  const isProposed = route.path.includes('/:changeRequestId/')
  const ids: Record<string, string> = isProposed ? { ...full, commentId: full.changeCommentId ?? '' } : full
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (route.method !== 'GET' || !names.every((name) => ids[name])) return undefined
  const { required = [] } = (route.query ?? {}) as { required?: string[] }
  if (required.some((name) => name !== 'query')) return undefined
  return { params: ids, ...(required.length > 0 && { query: { query: 'words' } }) }
}

/** Sends a call by a client, and returns what the description of the client has against the response. */
async function faultOf(stock: StockClient, { route, name }: NamedRoute, operation: Operation, call: Call) {
  const ids = [...route.path.matchAll(/:(\w+)/g)].map(([, id = '']) => call.params?.[id] ?? '')
  const body: unknown = typeof call.body === 'function' ? call.body() : call.body
  // Attempts to sign in are limited by network.
  counter += 1
  const headers = { 'x-forwarded-for': `10.9.${counter >> 8}.${counter & 255}` }
  const request = { ids, query: { ...call.query }, body, headers }
  const { status, data } = await stock.send(stock.signedIn(world, call.as), operation, request)
  if (!operation.responses[status]) return `${name} answered ${status}, which is not declared`
  const isJson = operation.responses[status].content?.['application/json'] !== undefined
  return isJson ? stock.faultOf(operation.method, operation.path, status, data) : undefined
}

for (const stock of STOCK_CLIENTS) {
  const different = { ...DIFFERENT, ...DIFFERENT_IN[stock.version] }
  const shared = sharedWith(stock)

  const effort = stock.version === '0.202.0' ? {} : onlyLong
  test(
    `the client ${stock.version} finds what its types require in ${shared.length} operations`,
    effort,
    async () => {
      const faults: string[] = []
      for (const { one, operation } of shared) {
        const reading = readingOf(one)
        for (const call of [await callOf(one), ...(reading ? [reading] : [])]) {
          const fault = await faultOf(stock, one, operation, call).catch((error: Error & { code?: number }) =>
            // The full organization does not have everything that there is one of.
            call === reading && error.code === 404 ? undefined : error.message,
          )
          const isKnown = different[one.name] !== undefined && fault?.includes(different[one.name]!) === true
          if (fault !== undefined && !isKnown) faults.push(`${one.name}: ${fault}`)
        }
      }
      assert.deepEqual(faults, [])
    },
  )
}

test('the manual names the operations of the newest client that Lectern does not serve, and no others', () => {
  const [, newest] = STOCK_CLIENTS
  const shared = new Set(sharedWith(newest!).map(({ operation }) => operation.id))
  // The version of the server has the path `/v1` here.
  shared.add('getApiInformation')
  const missing = newest!.operations.flatMap(({ id }) => (shared.has(id) ? [] : [id]))
  const manual = readFileSync(resolve(import.meta.dirname, '../../docs/clients.md'), 'utf8')
  const rows = manual
    .split('\n')
    .flatMap((line) => (line.startsWith('| ') ? [line.split(' | ')[1] ?? ''] : []))
  const named = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, id = '']) => id))
  assert.deepEqual(named.toSorted(), missing.toSorted())
})
