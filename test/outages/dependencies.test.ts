/** Every fault of everything that the server needs of others: what is visible, for how long, and that it passes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FAULTS } from './faulty-server.ts'
import { storageWorld, usesOfBucket } from './storage.ts'
import { isOfTime, until } from './table.ts'

const storage = await storageWorld()

const DEPENDENCIES = (await usesOfBucket(storage)).map((dependency) => ({
  dependency,
  url: storage.world.url,
  limit: storage.limit,
}))

for (const { dependency, url, limit } of DEPENDENCIES) {
  const { server, only = /^/, healed, use, works, sees, clean } = dependency

  async function recover() {
    limit('usual')
    await server.fail(undefined)
  }

  describe(dependency.name, () => {
    for (const fault of FAULTS) {
      test(`${fault}: ${sees[fault]}`, async (t) => {
        t.after(recover)
        server.only = only
        limit(isOfTime(fault) ? 'short' : 'usual')
        await server.fail(fault)

        const [seen, live] = await Promise.all([use(), fetch(`${url}/livez`)])
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
        limit(isOfTime(fault) ? 'between' : 'usual')
        await server.fail(fault, 1)
        const [seen] = await Promise.all([
          use(),
          until(
            () => server.requests.length > 0,
            () => 'a request',
          ),
        ])
        limit('usual')
        assert.equal(seen, works)
        await server.fail(undefined)
      })
    }
  })
}
