/** Documents of word processors, through the API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { odtParts } from '../core/sources/odt-fixture.ts'
import { archiveOf, upload } from '../importing.ts'
import { createWorld } from '../world.ts'

const { ada, organizationId } = await createWorld()

/** Imports a file into a new space. */
async function importSource(source: string, bytes: Uint8Array, name = 'docs.zip') {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const url = await upload(ada, organizationId, bytes, name)
  const imported = await ada(`POST /v1/spaces/${space.id}/content/import`, { url, source })
  return { spaceId: space.id as string, imported }
}

test('the source odt imports a document with its chapters as pages', async () => {
  const { spaceId, imported } = await importSource('odt', archiveOf(odtParts()), 'Handbook.odt')
  assert.equal(imported.status, 201, imported.text)
  const { body } = await ada(`GET /v1/spaces/${spaceId}/content/pages`)
  assert.deepEqual(
    (body.pages as { title: string }[]).map(({ title }) => title),
    ['The handbook', 'Install', 'Use'],
  )
  assert.equal((await ada(`GET /v1/spaces/${spaceId}/links?status=broken`)).body.count, 0)
  assert.match(
    (await importSource('odt', archiveOf({ 'a.odt': 'x' }))).imported.text,
    /send that file itself/i,
  )
})

test('a PDF is refused with what to send instead, whatever the source is', async () => {
  for (const source of ['zip', 'markdown', 'html', 'docx'])
    assert.match(
      (await importSource(source, Buffer.from('%PDF-1.7\n'), 'a.pdf')).imported.text,
      /Save the document that it was made from as \.docx, \.odt, HTML or Markdown/,
    )
})
