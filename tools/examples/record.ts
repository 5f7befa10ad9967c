/**
 * `npm run examples`: sends the requests of `test/matrix` to a server, and writes a short response of each operation to
 * `src/server/examples.json`, for the OpenAPI document; and those of `errors.ts`, to `src/server/error-examples.json`.
 */
import { join, resolve } from 'node:path'
import { CALLS } from '../../test/matrix/calls.ts'
import { requestOf } from '../../test/matrix/swap.ts'
import { thingsIn } from '../../test/matrix/things.ts'
import { fillLists } from '../../test/full-organization.ts'
import { isDeclared } from '../../test/declared.ts'
import { mailbox } from '../../test/mailbox.ts'
import { createWorld } from '../../test/world.ts'
import { loadRoutes, type NamedRoute } from '../../src/server/routes.ts'
import { writeJson } from '../release/digests.ts'
import { errorExamples } from './errors.ts'
import { anonymizer, shortened } from './shorten.ts'

const FOLDER = join(resolve(import.meta.dirname, '../..'), 'src/server')

const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' }, { mail: mailbox() })
const { ada, organizationId } = world
const things = thingsIn(world, { admin: ada, organizationId, domain: 'example.com' })
const ids = await fillLists(world)
const anonymous = anonymizer()
const examples: Record<string, unknown> = {}
let count = 0

for (const one of await loadRoutes()) {
  const { returns } = one.route
  if (returns === undefined || returns === 'download' || returns === 'events') continue
  const body = await responseOf(one)
  if (body === undefined) continue
  const example = shortened(anonymous(body), (value) => isDeclared(one.route, value))
  if (isDeclared(one.route, example)) examples[one.name] = example
  else process.stderr.write(`${one.name}: the example is not valid\n`)
}
writeJson(join(FOLDER, 'examples.json'), examples)
const other = await createWorld()
writeJson(join(FOLDER, 'error-examples.json'), await errorExamples(other))
await other.close()
// The hooks of tests, which close the world, run in tests only.
await world.close()
process.exit(0)

/** A successful response: of a list of the full organization, which has items, or else of the request of the matrix. */
async function responseOf(one: NamedRoute): Promise<unknown> {
  if (one.route.method === 'GET') {
    const path = one.route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'nothing')
    const answer = await ada(`GET ${path}`)
    if (answer.status === 200 && (answer.body?.items === undefined || answer.body.items.length > 0))
      return answer.body
  }
  for (const make of [CALLS[one.name] ?? []].flat()) {
    count += 1
    const another = () => world.person(`someone-${count}`, 'admin')
    const call = await make(things, { person: ada, writes: true, another })
    const body: unknown = typeof call.body === 'function' ? call.body() : call.body
    const headers = { 'x-forwarded-for': `10.${count >> 8}.${count & 255}.1` }
    const answer = await (call.as ?? ada)(requestOf(one, call), body, headers)
    if (answer.status < 300 && answer.body !== undefined) return answer.body
  }
  process.stderr.write(`${one.name}: no successful response\n`)
  return undefined
}
