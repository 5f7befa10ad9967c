/** Uploads, and the fonts of an organization, which are made of them. */
import assert from 'node:assert/strict'
import { randomText } from '../../src/core/data/id.ts'
import type { Person, World } from '../world.ts'

/** @param org the path of the organization below `/v1` */
export function uploadsIn({ db }: World, admin: Person, org: string) {
  async function made(request: string, body: object) {
    const answer = await admin(request, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }

  async function give(id: string, userId: string): Promise<string> {
    if (userId)
      await db.write((tx) => tx.updateTable('upload').set({ userId }).where('id', '=', id).execute())
    return id
  }

  /** An upload that waits for 4 bytes; `sent` has them. */
  async function upload(sent = false) {
    const file = { name: 'a.md', type: 'text/markdown', size: 4 }
    const url: string = (await made(`POST ${org}/storage/upload`, { file, kind: 'import_file' })).url
    if (sent) await admin(`PUT ${url}`, new TextEncoder().encode('# Hi'))
    const { pathname, searchParams } = new URL(url)
    const uploadId = pathname.split('/').at(-1) ?? ''
    return { uploadId, secret: searchParams.get('secret') ?? '', url }
  }

  /** The key of an upload that begins as a font does, and belongs to a user. */
  async function fontUpload(userId: string): Promise<string> {
    const bytes = new TextEncoder().encode(`wOF2${randomText(12)}`)
    const file = { name: 'a.woff2', type: 'font/woff2', size: bytes.length }
    const { url, key } = await made(`POST ${org}/storage/upload`, { file, kind: 'customization_font' })
    await admin(`PUT ${url}`, bytes)
    return give(key, userId)
  }

  /** Connects a space with a repository. */
  const connectRepository = async (spaceId: string, url: string): Promise<void> => {
    const { status, text } = await admin(`PUT /v1/spaces/${spaceId}/git/connection`, {
      url,
      ref: 'refs/heads/main',
    })
    assert.equal(status, 200, text)
  }

  /** Gives the connection of a space a webhook. */
  const createWebhook = async (spaceId: string): Promise<void> => {
    assert.equal((await admin(`POST /v1/spaces/${spaceId}/git/connection/webhook`)).status, 200)
  }

  return {
    connectRepository,
    createWebhook,
    upload,
    /** An upload of 4 bytes that somebody has sent. */
    uploadOf: async (userId: string) => give((await upload(true)).uploadId, userId),
    fontUpload,
    /** A font with the weight 400. */
    async font(): Promise<{ id: string; hash: string }> {
      const fontFaces = [{ weight: 400, storageKey: await fontUpload(admin.id) }]
      const { id, fontFaces: faces } = await made(`PUT ${org}/fonts`, { fontFamily: 'Brand', fontFaces })
      return { id, hash: /[0-9a-f]{64}/.exec(faces[0].sources[0].url)?.[0] ?? '' }
    },
  }
}
