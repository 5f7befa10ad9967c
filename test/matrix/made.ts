/** Content, pictures and grants that an administrator makes over the API. */
import assert from 'node:assert/strict'
import type { Person } from '../world.ts'

/** The ids of the page, the file and the reusable content of a live space, which this makes. */
export async function filled(admin: Person, spaceId: string) {
  const document = { markdown: 'Text' }
  const files = [{ name: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }]
  const { status, body, text } = await admin(`POST /v1/spaces/${spaceId}/content?compat=false`, {
    changes: [
      { operation: 'insert_page', document },
      { operation: 'insert_reusable_content', document },
      { operation: 'insert_files', files },
    ],
  })
  assert.equal(status, 200, text)
  const [{ page }, { reusableContent }] = body.changes
  return {
    spaceId,
    pageId: page.id as string,
    fileId: body.insertedFiles[0].id as string,
    reusableContentId: reusableContent.id as string,
    revisionId: body.space.revision as string,
  }
}

/** Gives the administrator a picture that only they have. @returns a request for it */
export async function photoOf(admin: Person, seed: string) {
  const image = Buffer.from(`GIF89a\x01\x00\x01\x00\x00\x00\x00${seed}`, 'latin1')
  const photo = { base64: image.toString('base64') }
  const { status, body, text } = await admin(`PATCH /v1/users/${admin.id}`, { photo })
  assert.equal(status, 200, text)
  const link = new URL(body.photoURL)
  const hash = link.pathname.split('/').at(-1) ?? ''
  return {
    params: { userId: admin.id, hash },
    query: { signature: link.searchParams.get('signature') ?? '' },
  }
}

/** Grants the role `read` on a space, a collection or a site of the organization, unless the fields have another role. */
export function grantsBy(admin: Person, organizationId: string) {
  return async (kind: 'spaces' | 'collections' | 'sites', id: string, granted: object) => {
    const base = kind === 'sites' ? `/v1/orgs/${organizationId}` : '/v1'
    const { status, text } = await admin(`POST ${base}/${kind}/${id}/permissions`, {
      role: 'read',
      ...granted,
    })
    assert.equal(status, 204, text)
  }
}
