/** A client that sends back the appearance that it read changes nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import {
  Customization,
  DEFAULT_CUSTOMIZATION,
  isGroup,
} from '../../src/model/sites/customization/customization-settings.ts'
import { holds } from '../property.ts'
import { createWorld } from '../world.ts'
import { everySetting } from './every-setting.ts'

const world = await createWorld()
const { ada, organizationId } = world
const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body
const EVERY: Settings = everySetting(space.id)

type Settings = Record<string, unknown>
const fieldsOf = (schema: TSchema) =>
  Object.entries((schema as unknown as { properties: Record<string, TSchema> }).properties)
/** These follow from others. */
const DERIVED = ['items', 'socialAccounts']

async function newSite() {
  const made = await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Manual', spaces: [space.id] })
  const { id } = made.body
  const at = `/v1/orgs/${organizationId}/sites/${id}`
  await ada(`PATCH ${at}`, { visibility: 'public' })
  await ada(`POST ${at}/publish`)
  const [siteSpace] = (await ada(`GET ${at}/site-spaces`)).body.items
  const ofSpace = `${at}/site-spaces/${siteSpace.id}/customization`
  const { pathname } = new URL((await ada(`GET ${at}`)).body.urls.published)
  return { at: `${at}/customization`, ofSpace, address: `/sites/docs${pathname}` }
}

/** Sends settings, and returns those of the response. */
async function send(request: string, settings: unknown): Promise<Settings> {
  const { status, body, text } = await ada(request, settings)
  assert.equal(status, 200, text)
  return body
}
const read = async (at: string): Promise<Settings> => (await ada(`GET ${at}`)).body
/** The mode in which a page begins; undefined if it follows the device. */
const modeAt = async (address: string) =>
  /^<html[^>]* data-theme="(\w+)"/m.exec((await world.nobody(`GET ${address}`)).text)?.[1]

/** Settings of which each is absent, null, the default or another value. */
function someOf(schema: TSchema, every: Settings, defaults: Settings): fc.Arbitrary<Settings> {
  const fields = fieldsOf(schema).filter(([name]) => !DERIVED.includes(name))
  return fc.record(
    Object.fromEntries(
      fields.map(([name, inner]) => {
        const [other, usual] = [every[name], defaults[name]]
        assert.notEqual(other, undefined, `everySetting() has no ${name}`)
        if (isGroup(inner)) return [name, someOf(inner, other as Settings, (usual ?? {}) as Settings)]
        return [name, fc.constantFrom(other, null, ...(usual === undefined ? [] : [usual]))]
      }),
    ),
    { requiredKeys: [] },
  )
}
const anySettings = someOf(Customization, EVERY, DEFAULT_CUSTOMIZATION)

test('the settings of a site that are sent back, once or twice, change nothing', async () => {
  const { at, address } = await newSite()
  await holds(
    fc.asyncProperty(anySettings, async (settings) => {
      await send(`PUT ${at}`, settings)
      const [first, mode] = [await read(at), await modeAt(address)]
      for (let i = 0; i < 2; i++) {
        assert.deepEqual(await send(`PUT ${at}`, await read(at)), first)
        assert.deepEqual([await read(at), await modeAt(address)], [first, mode])
      }
    }),
    { cases: 1000, byDefault: 12, examples: [[{}], [EVERY]] },
  )
})

test('the settings of a space of a site that are sent back override nothing more', async () => {
  const [one, other] = [await newSite(), await newSite()]
  await holds(
    fc.asyncProperty(anySettings, anySettings, anySettings, async (before, overrides, after) => {
      for (const { at, ofSpace } of [one, other]) {
        await ada(`DELETE ${ofSpace}`)
        await send(`PUT ${at}`, before)
        await send(`PATCH ${ofSpace}`, overrides)
      }
      const known = await read(one.ofSpace)
      assert.deepEqual(await send(`PATCH ${one.ofSpace}`, known), known)
      for (const { at } of [one, other]) await send(`PUT ${at}`, after)
      assert.deepEqual(await read(one.ofSpace), await read(other.ofSpace))
      assert.equal(await modeAt(one.address), await modeAt(other.address))
    }),
    {
      cases: 500,
      byDefault: 15,
      examples: [
        [{}, {}, EVERY],
        [EVERY, {}, {}],
      ],
    },
  )
})

test('the mode of a site follows the device until a client chooses one', async () => {
  const { at, ofSpace, address } = await newSite()
  const put = (themes?: object) => send(`PUT ${at}`, themes ? { themes } : {})
  const steps: [object | undefined, string | undefined, string][] = [
    [undefined, undefined, 'light'],
    [{ default: 'light', toggeable: true }, undefined, 'light'],
    [{ toggeable: false }, undefined, 'light'],
    [{ default: 'light', toggeable: false }, undefined, 'light'],
    [{ default: 'light', toggeable: true }, 'light', 'light'],
    [{ default: 'light', toggeable: true }, 'light', 'light'],
    [undefined, undefined, 'light'],
    [{ default: 'light' }, 'light', 'light'],
    [{ default: 'system', toggeable: true }, undefined, 'system'],
    [{ default: 'system', toggeable: true }, undefined, 'system'],
    [{ default: 'dark' }, 'dark', 'dark'],
    [{ default: null }, undefined, 'light'],
  ]
  for (const [themes, shown, reported] of steps) {
    const settings = await put(themes)
    const { default: answered } = settings.themes as { default: string }
    assert.deepEqual([await modeAt(address), answered], [shown, reported], JSON.stringify(themes))
  }
  await send(`PATCH ${ofSpace}`, { themes: { default: 'light', toggeable: true } })
  assert.equal(await modeAt(address), undefined)
  await send(`PATCH ${ofSpace}`, { themes: { default: 'light' } })
  assert.equal(await modeAt(address), 'light')
  await send(`PATCH ${ofSpace}`, { themes: null })
  assert.equal(await modeAt(address), undefined)
})
