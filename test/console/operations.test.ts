/** Every operation of the API has a screen, or a reason why it has none. Every address of the app is that of a screen. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadRoutes } from '../../src/server/routes.ts'
import { requestsOfConsole } from './requests.ts'
import { WITHOUT_ROUTE, WITHOUT_SCREEN } from './without-screen.ts'

const SERVED = join(import.meta.dirname, '../../src/console/serve')
const operations = (await loadRoutes()).map(({ name, route: { method, path } }) => ({
  name,
  method,
  words: path.split('/').slice(2),
}))
const found = await requestsOfConsole()

/** The operation of a request. A word of the path that is known at run time only is a parameter of the operation. */
function operationOf(request: string): string | undefined {
  const [method, path = ''] = request.split(' ')
  if (path === '*') return undefined
  const words = path.split('/').slice(1)
  const all = operations.filter(
    (one) =>
      one.method === method &&
      one.words.length === words.length &&
      one.words.every((word, i) => (word.startsWith(':') ? words[i] !== '' : word === words[i])),
  )
  // Of `versions/latest` and `versions/:versionId`, the first is meant by "latest".
  return all.toSorted((a, b) => params(a.words) - params(b.words))[0]?.name
}

const params = (words: readonly string[]) => words.filter((word) => word.startsWith(':')).length

/** The operations that the pages of the server itself run, by their names. */
function operationsOfPages(): Set<string> {
  const names = new Set(operations.map(({ name }) => name))
  const texts = readdirSync(SERVED).map((file) => readFileSync(join(SERVED, file), 'utf8'))
  const quoted = texts.flatMap((text) => [...text.matchAll(/'(\w+)'/g)].map(([, name = '']) => name))
  return new Set(quoted.filter((name) => names.has(name)))
}

test('the console requests only what the API has, with paths that can be followed', () => {
  assert(found.length > 100, 'the requests of the console were not found')
  const faults = found
    .filter(({ request }) => operationOf(request) === undefined)
    .map(({ request, code }) => `${request}  in  ${code}`)
  assert.deepEqual(faults, [], 'begin such a path with text, such as `GET /spaces/${id}/…`')
})

test('every operation of the API has a screen, or a reason why it has none', () => {
  const used = new Set([...operationsOfPages(), ...found.map(({ request }) => operationOf(request))])
  const missing = operations.map(({ name }) => name).filter((name) => !used.has(name))
  const listed = Object.values(WITHOUT_SCREEN).flat()
  assert.equal(new Set(listed).size, listed.length, 'an operation is listed twice')
  assert.deepEqual(
    { withoutScreen: missing.filter((name) => !listed.includes(name)) },
    { withoutScreen: [] },
    'add a screen, or a reason to without-screen.ts',
  )
  assert.deepEqual(
    { needlessReasons: listed.filter((name) => !missing.includes(name)) },
    { needlessReasons: [] },
    'the console uses them, or they do not exist',
  )
})

test('every address of the app that the API returns is that of a screen', () => {
  const APP = join(import.meta.dirname, '../../src/console/app')
  const patterns = [
    ...readFileSync(join(APP, 'program/routes.tsx'), 'utf8').matchAll(/\[\s*'(\/[^']*)',\s*screen/g),
  ].map(([, pattern = '']) => pattern)
  assert(patterns.length > 30, 'the routes were not found')
  const isScreen = (path: string) =>
    patterns.some((pattern) => {
      const source = pattern.replaceAll(/:\w+/g, '[^/]+').replace(/\/\*\??$/, '(/.*)?')
      return new RegExp(`^${source}$`).test(path)
    })
  const MODEL = join(import.meta.dirname, '../../src/model')
  const addresses = readdirSync(MODEL, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(MODEL, file), 'utf8').matchAll(/urls\.app\(\s*`([^`]*)`/g)])
    .map(([, template = '']) => template.replaceAll(/\$\{[^}]*(\{[^}]*\}[^}]*)*\}/g, 'x').replace(/#.*/, ''))
  assert(addresses.length > 8, 'the addresses were not found')
  const lost = [...new Set(addresses)].filter((path) => !isScreen(path))
  assert.deepEqual(lost, WITHOUT_ROUTE)
})
