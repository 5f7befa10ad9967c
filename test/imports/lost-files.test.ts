/** A space of which the store has lost the bytes of a file, on disk and in S3. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createHash } from 'node:crypto'
import { openBlobs } from '../../src/blobs/open.ts'
import { temporaryFolder } from '../process.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { startS3 } from '../blobs/s3-server.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'
import { contentAt } from './syncing.ts'
import { unzip } from './zip.ts'

const folder = temporaryFolder()
const s3 = await startS3(folder.path)
after(async () => {
  await s3.close()
  folder.remove()
})
const { endpoint, bucket, accessKeyId, secretAccessKey } = s3.options

for (const [store, env] of [
  ['on disk', {}],
  [
    'in S3',
    {
      LECTERN_S3_ENDPOINT: endpoint,
      LECTERN_S3_BUCKET: bucket,
      LECTERN_S3_ACCESS_KEY_ID: accessKeyId,
      LECTERN_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  ],
] as const)
  test(`the export of a space leaves out the file that is lost ${store}, and names it`, async () => {
    const logged: string[] = []
    const world = await createWorld(env, { logTo: { write: (line) => void logged.push(line) } })
    const { ada } = world
    const { spaceId } = await spaceWith(
      world,
      archiveOf({
        'README.md': '# Home\n\n![](lost.png)\n\n![](kept.txt)\n',
        'lost.png': PNG,
        'kept.txt': 'kept',
      }),
    )
    const blobs = await openBlobs(world.config)
    assert(await blobs.remove(createHash('sha256').update(PNG).digest('hex')))

    for (let again = 0; again < 2; again++) {
      const { status, body, text } = await ada(`GET /v1/spaces/${spaceId}/content/export`)
      assert.equal(status, 200, text)
      assert.deepEqual(body.missingFiles, ['lost.png'])
      const response = await fetch(body.url as string)
      const files = unzip(new Uint8Array(await response.arrayBuffer()))
      const textOf = (path: string) => Buffer.from(files.get(path) ?? []).toString()
      assert.deepEqual([files.has('lost.png'), textOf('kept.txt')], [false, 'kept'])
      assert.equal(textOf('.lectern/missing-files.txt'), 'lost.png\n')
    }
    for (const format of ['pdf', 'epub'])
      assert.equal((await ada(`GET /v1/spaces/${spaceId}/pdf?format=${format}`)).status, 200, format)
    const lines = logged.filter((line) => line.includes('missing from the blob store'))
    assert.equal(lines.length, 1, 'the damage is logged once')

    // The space keeps the record of the file, so that a restored blob is found again.
    const { files } = await contentAt(world, `/v1/spaces/${spaceId}`)
    assert.equal(files.length, 2)
  })
