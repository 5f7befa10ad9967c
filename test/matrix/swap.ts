/** Finds every id in a request, and replaces it with other ids. */
import assert from 'node:assert/strict'
import { ID_PATTERN, randomText } from '../../src/core/data/id.ts'
import type { NamedRoute } from '../../src/server/routes.ts'
import type { Call } from './makers.ts'

/** The method and URL of a call. */
export function requestOf({ route, name }: NamedRoute, call: Call): string {
  const path = route.path.replace(/:(\w+)/g, (_, param: string) => {
    const value = call.params?.[param]
    assert(value, `test/matrix/calls.ts has no "${param}" for ${name}`)
    return encodeURIComponent(value)
  })
  const named = Object.entries(call.query ?? {}).flatMap(([key, value]) =>
    [value].flat().map((one): [string, string] => [key, one]),
  )
  const query = new URLSearchParams(named).toString()
  return `${route.method} ${path}${query && `?${query}`}`
}

/** A call with an id of another organization in one place, and the same call with an unknown id. */
export interface Swap {
  /** `params.spaceId`, `body.users[]`. */
  place: string
  foreign: Call
  unknown: Call
  /** The ids that differ, which responses may quote. */
  ids: [foreign: string, unknown: string]
}

const NO_IDS = new Set(['emailDomain', 'name'])
/** PUT with a name that every organization may choose: it creates what is not there. */
const CREATES_BY_NAME = new Set(['createOrUpdateOpenAPISpecBySlug'])
/** Parameters that accept the address of a user too. */
const BY_ADDRESS = new Set(['updateMembersInOrganizationTeam'])

/** Every swap of a call, given the same call of another organization. */
export function swapsOf({ route, name }: NamedRoute, own: Call, other: Call): Swap[] {
  // Anybody may ask where the members of any organization sign in.
  if (name === 'listSSOProviderLoginsInOrganization') return []
  // What administrators of the installation steer belongs to no organization.
  if (route.path.startsWith('/v1/installation/')) return []
  const named = [...route.path.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
  const inPath = named
    .filter((param) => !NO_IDS.has(param) && !(CREATES_BY_NAME.has(name) && param === named.at(-1)))
    .map((param) => {
      const [mine = '', foreign = ''] = [own.params?.[param], other.params?.[param]]
      const unknown = likeOf(mine)
      const put = (id: string) => ({ ...own, params: { ...own.params, [param]: id } })
      const ids: Swap['ids'] = [foreign, unknown]
      return { mine, swap: { place: `params.${param}`, foreign: put(foreign), unknown: put(unknown), ids } }
    })
  const inRest = (['query', 'body'] as const).flatMap((part) => {
    const theirs = idsIn(other[part], part)
    return idsIn(own[part], part).flatMap(({ place, id }, i) => {
      if (id.includes('@') && !BY_ADDRESS.has(name)) return []
      const foreign = theirs[i]?.id ?? ''
      const unknown = likeOf(id)
      const put = (to: string): Call => ({ ...own, [part]: replaced(own[part], id, to) })
      const ids: Swap['ids'] = [foreign, unknown]
      return [{ mine: id, swap: { place, foreign: put(foreign), unknown: put(unknown), ids } }]
    })
  })
  return [...inPath, ...inRest].map(({ mine, swap }) => {
    assert(swap.ids[0] && swap.ids[0] !== mine, `${name}: ${swap.place} names the same in both organizations`)
    return swap
  })
}

/** The places of the query and the body that accept ids, according to the schemas. */
export function idPlaces({ route }: NamedRoute): string[] {
  return [...placesIn(route.query, 'query'), ...placesIn(route.body, 'body')]
}

function placesIn(schema: unknown, at: string): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { pattern, properties, items, anyOf, oneOf, propertyNames } = schema as Record<string, unknown>
  if (pattern === ID_PATTERN) return [at]
  return [
    ...Object.entries(properties ?? {}).flatMap(([key, inner]) => placesIn(inner, `${at}.${key}`)),
    ...[anyOf, oneOf].flatMap((variants) =>
      Array.isArray(variants) ? variants.flatMap((inner) => placesIn(inner, at)) : [],
    ),
    ...placesIn(items, `${at}[]`),
    ...placesIn(propertyNames, `${at}{}`),
  ]
}

const ID = /^[0-9a-z]{20,28}$/
const isName = (text: string) => ID.test(text) || /^[^@/]+@[^@/]+$/.test(text)

/** Every id and address in a query or body, with its path. */
function idsIn(value: unknown, at: string): { place: string; id: string }[] {
  if (typeof value === 'string') return isName(value) ? [{ place: at, id: value }] : []
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one, `${at}[]`))
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(isName(key) ? [{ place: `${at}{}`, id: key }] : []),
    ...idsIn(inner, `${at}.${key}`),
  ])
}

function replaced(value: unknown, from: string, to: string): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key === from ? to : key, replaced(inner, from, to)]),
  )
}

/** An unknown id of the same form. */
export function likeOf(id: string): string {
  if (/^[0-9a-f]{64}$/.test(id)) return 'f'.repeat(64)
  if (id.includes('@')) return `${randomText(22)}@${id.split('@')[1]}`
  if (id.endsWith('.example.org')) return `x${randomText(12)}.example.org`
  return randomText(id.length)
}
