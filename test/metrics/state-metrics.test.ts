import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promClient } from '../../src/core/runtime/libraries.ts'
import { addStateMetrics } from '../../src/metrics/state-metrics.ts'
import { createWorld } from '../world.ts'
import { readExposition } from './exposition.ts'

test('a disk that cannot be read has no values, so that an alert about missing values finds it', async () => {
  const { db } = await createWorld()
  const registry = new (promClient().Registry)()
  const imports = { stages: () => [] } as unknown as Parameters<typeof addStateMetrics>[1]['imports']
  addStateMetrics(registry, { db, data: '/there/is/no/such/folder', imports, listeners: { count: () => 3 } })
  const families = readExposition(await registry.metrics())
  const valuesOf = (name: string) => families.get(name)?.samples.map(({ value }) => value) ?? []
  assert.deepEqual(valuesOf('lectern_disk_free_bytes'), [])
  assert.deepEqual(valuesOf('lectern_event_streams'), [3])
})
