/** An identity provider that provisions an organization by SCIM. */
import assert from 'node:assert/strict'
import type { Answer, Person, World } from '../world.ts'

/** Sends a request such as `POST Users`, with a SCIM token of an organization. */
export type Provider = (request: string, body?: unknown, type?: string) => Promise<Answer>

/** Creates a SCIM token of an organization. */
export async function providerOf(
  { nobody, url }: World,
  admin: Person,
  organizationId: string,
): Promise<Provider & { id: string; token: string }> {
  const { status, body, headers } = await admin(`POST /v1/orgs/${organizationId}/scim-tokens`)
  assert.equal(status, 201)
  assert.match(body.token, /^lec_scim_[0-9a-z]{40}$/)
  assert.equal(body.endpoint, `${url}/scim/v2`)
  assert.equal(headers.get('location'), `${url}/v1/orgs/${organizationId}/scim-tokens/${body.id}`)
  return Object.assign(providerWith(nobody, body.token as string), {
    id: body.id as string,
    token: body.token as string,
  })
}

/** A provider with a token. */
export function providerWith(nobody: Person, token: string): Provider {
  return async (request, body, type = 'application/scim+json') => {
    const [method, path] = request.split(' ')
    const answer = await nobody(`${method} /scim/v2/${path}`, body, {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    })
    if (answer.status !== 204)
      assert.equal(answer.headers.get('content-type'), 'application/scim+json; charset=utf-8', answer.text)
    return { ...answer, body: answer.text ? JSON.parse(answer.text) : undefined }
  }
}

/** Checks that a response is an error of SCIM. */
export function assertFault(
  answer: Answer,
  status: number,
  scimType: string | undefined,
  words: RegExp,
): void {
  assert.equal(answer.status, status, answer.text)
  const { detail, ...rest } = answer.body
  assert.deepEqual(rest, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
  })
  assert.match(detail, words)
}

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The body of a PATCH. */
export const patch = (...operations: object[]) => ({ schemas: [PATCH_OP], Operations: operations })
