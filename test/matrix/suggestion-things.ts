import type { Person } from '../world.ts'

interface Makers {
  admin: Person
  made(request: string, body?: unknown): Promise<{ id: string; [field: string]: unknown }>
  space(fields?: object): Promise<string>
}

/** A comment that suggests a text for a block of a new live space, or of a change request of it. */
export async function suggestionIn({ admin, made, space }: Makers, of: 'space' | 'change request') {
  const spaceId = await space({ editMode: 'live' })
  const changes = [{ operation: 'insert_page', document: { markdown: 'One.' } }]
  const batch = await made(`POST /v1/spaces/${spaceId}/content?compat=false`, { changes })
  const [inserted] = (batch as unknown as { changes: { page: { id: string } }[] }).changes
  const page = inserted!.page.id
  const { body } = await admin(`GET /v1/spaces/${spaceId}/content/page/${page}/document`)
  const proposed =
    of === 'space' ? undefined : await made(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'S' })
  const line = proposed ? `/change-requests/${proposed.id}` : ''
  const suggested = { body: {}, page, node: body.nodes[0].key, suggestion: { markdown: 'Two.' } }
  const comment = await made(`POST /v1/spaces/${spaceId}${line}/comments`, suggested)
  return { spaceId, ...(proposed && { changeRequestId: proposed.id }), commentId: comment.id }
}
