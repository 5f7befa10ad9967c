import assert from 'node:assert/strict'
import test from 'node:test'

import { pageIcon } from '../../src/sites/render/icons.ts'

const drawing = (name: string) => String(pageIcon(name))

test('draws icons by name, with or without the prefixes of Font Awesome', () => {
  for (const name of ['rocket', 'fa-rocket', 'fa-solid fa-rocket', 'Rocket'])
    assert.equal(drawing(name), drawing('rocket'), name)
  assert.match(drawing('github'), /<svg class="icon"/)
})

test('draws an icon by the names that it had in earlier versions', () => {
  for (const [old, now] of [
    ['cog', 'gear'],
    ['file-alt', 'file-lines'],
    ['external-link-alt', 'up-right-from-square'],
    ['bank', 'building-columns'],
  ] as const)
    assert.equal(drawing(old), drawing(now), old)
  for (const old of ['file-text-o', 'envelope-o', 'clock-o'])
    assert.notEqual(drawing(old), drawing('no-such'), old)
})

test('draws the closest icon for a name that the free set does not have', () => {
  assert.equal(drawing('rocket-launch'), drawing('rocket'))
  assert.equal(drawing('brain-circuit'), drawing('brain'))
})

test('draws a neutral icon if no name is close, and nothing for an empty name', () => {
  const neutral = drawing('no-such-icon')
  assert.match(neutral, /<svg class="icon"/)
  for (const name of [
    'sparkles-zzz',
    'cloud-slash',
    '../../package',
    'https://example.org/a.svg',
    '__proto__',
  ])
    assert.equal(drawing(name), neutral, name)
  for (const name of ['', '  ', 'fa-']) assert.equal(pageIcon(name), undefined)
})
