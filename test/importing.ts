import assert from 'node:assert/strict'
import { zip } from './imports/zip.ts'
import type { Answer, Person, World } from './world.ts'

/** Makes a zip archive of these texts and bytes, by path. */
export function archiveOf(files: Record<string, string | Uint8Array>): Uint8Array {
  return zip(Object.entries(files).map(([name, content]) => ({ name, content })))
}

/** Announces an upload and sends it. @returns the URL to import from */
export async function upload(
  person: Person,
  organizationId: string,
  bytes: Uint8Array,
  name = 'docs.zip',
): Promise<string> {
  const announced = await person(`POST /v1/orgs/${organizationId}/storage/upload`, {
    file: { name, type: 'application/octet-stream', size: bytes.length },
    kind: 'import_file',
  })
  assert.equal(announced.status, 201, announced.text)
  const sent = await fetch(announced.body.url as string, { method: 'PUT', body: Buffer.from(bytes) })
  assert.equal(sent.status, 204, await sent.text())
  return announced.body.url
}

/** Imports an archive into a space. */
export async function importArchive(
  { ada, organizationId }: World,
  spaceId: string,
  bytes: Uint8Array,
): Promise<Answer> {
  const url = await upload(ada, organizationId, bytes)
  return ada(`POST /v1/spaces/${spaceId}/content/import`, { url, source: 'zip' })
}

/** Creates a space with the content of an archive. */
export async function spaceWith(world: World, bytes: Uint8Array, title = 'Imported') {
  const space = (await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title })).body
  const result = await importArchive(world, space.id, bytes)
  assert.equal(result.status, 201, result.text)
  return { spaceId: space.id as string, revision: result.body.revision as string, result }
}

/** Publishes a site with one space. @returns its URL */
export async function publish(
  { ada, organizationId }: World,
  spaceId: string,
  title: string,
): Promise<{ siteId: string; address: string }> {
  const site = await ada(`POST /v1/orgs/${organizationId}/sites`, { title, spaces: [spaceId] })
  assert.equal(site.status, 201, site.text)
  const published = await ada(`POST /v1/orgs/${organizationId}/sites/${site.body.id}/publish`)
  assert.equal(published.status, 200, published.text)
  return { siteId: site.body.id, address: published.body.urls.published }
}
