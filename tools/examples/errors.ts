/** Requests that fail, one for each status of a mistake of the caller, and the responses to them. */
import type { Answer, World } from '../../test/world.ts'
import { anonymizer } from './shorten.ts'

/** Wrong passwords that the server accepts from one client before it refuses to check another. */
const MOST_TRIES = 50

/** The statuses that have an example. */
const STATUSES = [400, 401, 403, 404, 409, 412, 413, 415, 422, 429] as const
type Status = (typeof STATUSES)[number]

/** Sends a request for each status. @returns the bodies, without what belongs to one installation, by the status */
export async function errorExamples(world: World): Promise<Record<string, unknown>> {
  const { ada, nobody, organizationId } = world
  const org = `/v1/orgs/${organizationId}`
  const reader = await world.person('reader', 'read')
  const space = (await ada(`POST ${org}/spaces`, { title: 'Guide' })).body.id as string
  const path = `/v1/spaces/${space}`
  const requests: Record<Status, () => Promise<Answer>> = {
    400: () => ada(`POST ${org}/sites`, { title: '', visibility: 'secret' }),
    401: () => nobody('GET /v1/user'),
    403: () => reader(`POST ${org}/spaces`, { title: 'Notes' }),
    404: () => ada('GET /v1/spaces/unknown'),
    async 409() {
      const { id } = (await ada(`POST ${org}/sites`, { title: 'Handbook', spaces: [space] })).body
      return ada(`POST ${org}/sites/${id}/site-spaces`, { spaceId: space })
    },
    412: () => ada(`PATCH ${path}`, { title: 'Manual' }, { 'if-match': '"another"' }),
    413: () => ada(`PATCH ${path}`, { title: 'x'.repeat(100_000) }),
    415: () => ada(`PATCH ${path}`, Buffer.from('Manual'), { 'content-type': 'text/plain' }),
    async 422() {
      const headers = { 'idempotency-key': 'new-space' }
      await ada(`POST ${org}/spaces`, { title: 'One' }, headers)
      return ada(`POST ${org}/spaces`, { title: 'Another' }, headers)
    },
    async 429() {
      // The message has the seconds to wait.
      world.clock.now = new Date('2026-01-15T09:30:00Z')
      const body = { email: 'someone@example.com', password: 'a wrong password' }
      let answer = await nobody('POST /v1/account/sessions', body)
      for (let tries = 1; tries < MOST_TRIES && answer.status !== 429; tries += 1)
        answer = await nobody('POST /v1/account/sessions', body)
      world.clock.now = undefined
      return answer
    },
  }
  const anonymous = anonymizer()
  const examples: Record<string, unknown> = {}
  for (const status of STATUSES) {
    const answer = await requests[status]()
    if (answer.status !== status) throw new Error(`${status}: ${answer.status} ${answer.text}`)
    examples[status] = anonymous(answer.body)
  }
  return examples
}
