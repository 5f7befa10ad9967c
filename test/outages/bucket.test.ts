/** Every fault of the bucket in which uploaded files are: what is visible, for how long, and that it passes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../waiting.ts'
import { HTTP_FAULTS } from './faulty-server.ts'
import { storageWorld, usesOfBucket } from './storage.ts'
import { isDelay } from './outcomes.ts'

const storage = await storageWorld()

for (const dependency of await usesOfBucket(storage)) {
  const { server, only = /^/, healed, use, works, sees, clean } = dependency

  async function recover() {
    storage.limit('usual')
    await server.fail(undefined)
  }

  describe(dependency.name, () => {
    for (const fault of HTTP_FAULTS) {
      test(`${fault}: ${sees[fault]}`, async (t) => {
        t.after(recover)
        server.only = only
        storage.limit(isDelay(fault) ? 'short' : 'usual')
        await server.fail(fault)

        const [seen, live] = await Promise.all([use(), fetch(`${storage.world.url}/livez`)])
        assert.equal(seen, sees[fault])
        assert.equal(live.status, 200, 'others are not held up')
        if (fault !== 'refuse') assert.notDeepEqual(server.requests, [])
        await clean?.()
        await until(
          () => server.sockets.size <= 1,
          () => `${server.sockets.size} connections are open`,
        )

        await recover()
        assert.equal(await use(), works, 'it works again')
      })
    }

    for (const fault of healed) {
      test(`${fault}, once: not visible`, async (t) => {
        t.after(recover)
        server.only = only
        storage.limit(isDelay(fault) ? 'between' : 'usual')
        await server.fail(fault, 1)
        const [seen] = await Promise.all([
          use(),
          until(
            () => server.requests.length > 0,
            () => 'a request',
          ),
        ])
        storage.limit('usual')
        assert.equal(seen, works)
        await server.fail(undefined)
      })
    }
  })
}
