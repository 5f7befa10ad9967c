import { openDiskBlobs } from '../../src/blobs/disk.ts'

// A process that a test kills while it writes. It prints the hash of each blob only after `put` has returned.
const blobs = await openDiskBlobs(process.argv[2] ?? '')

async function* halves(number: number) {
  yield Buffer.alloc(200_000, `first half of ${number} `)
  await new Promise((resume) => setImmediate(resume))
  yield Buffer.alloc(200_000, `second half of ${number} `)
}

for (let number = 0; ; number++) {
  const { hash } = await blobs.put(halves(number))
  process.send?.(hash)
}
