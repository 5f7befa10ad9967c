/** Whatever colours a site chooses, its texts can be read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contrast, hexOf, inkOn, oklchOf, readableOn, TEXT_CONTRAST } from '../../src/sites/render/colors.ts'
import { CODE_THEMES } from '../../src/model/sites/customization/code-themes.ts'
import { codeColorsOf } from '../../src/highlight/code-theme.ts'
import { paletteOf, SHADES, TEXT_PAIRS } from '../../src/sites/render/palette.ts'
import { themeSheet } from '../../src/sites/render/theme.ts'
import { holds } from '../property.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const optional = fc.option(color, { nil: undefined })
const chosen = fc.record({
  primary: color,
  tint: optional,
  matching: fc.boolean(),
  info: color,
  success: color,
  warning: color,
  danger: color,
  header: optional,
  headerLink: optional,
})
const theme = fc.constantFrom('clean' as const, 'muted' as const, 'bold' as const, 'gradient' as const)
const mode = fc.constantFrom('light' as const, 'dark' as const)

test('contrast is that of WCAG', () => {
  assert.equal(contrast('#000', '#fff'), 21)
  assert.ok(Math.abs(contrast('#777777', '#ffffff') - 4.478) < 0.001)
})

test('colours survive OKLCH', () => {
  holds(
    fc.property(color, (hex) => {
      const channels = (text: string) =>
        text
          .slice(1)
          .match(/../g)!
          .map((pair) => Number.parseInt(pair, 16))
      const [before, after] = [channels(hex), channels(hexOf(oklchOf(hex)))]
      return before.every((value, i) => Math.abs(value - after[i]!) <= 2)
    }),
  )
})

test('black or white can be read on every colour, and a colour is made readable', () => {
  holds(
    fc.property(color, color, (one, ground) => {
      assert.ok(contrast(inkOn(ground), ground) >= TEXT_CONTRAST)
      assert.ok(contrast(readableOn(one, [ground]), ground) >= TEXT_CONTRAST)
    }),
  )
})

test('every text of every theme has enough contrast with what is behind it, whatever is chosen', () => {
  holds(
    fc.property(mode, theme, chosen, (in_, of, colors) => {
      const palette = paletteOf(in_, of, colors)
      for (const [text, background] of TEXT_PAIRS) {
        const found = contrast(palette[text], palette[background])
        assert.ok(found >= TEXT_CONTRAST, `${text} on ${background}: ${found.toFixed(2)}`)
      }
    }),
  )
})

test('a colour that can be read already is not changed', () => {
  const colors = {
    primary: '#0b6657',
    info: '#1f5f99',
    success: '#21692f',
    warning: '#865000',
    danger: '#a62b20',
  }
  const palette = paletteOf('light', 'clean', colors)
  assert.equal(palette.accent, colors.primary)
  assert.equal(palette.danger, colors.danger)
  assert.equal(paletteOf('light', 'bold', colors).bar, colors.primary)
})

test('the style sheet has a value for both modes of each variable, and nothing else', () => {
  const colors = { primary: '#f00', info: '#00f', success: '#0f0', warning: '#ff0', danger: '#f0f' }
  const sheet = themeSheet({ theme: 'clean', light: colors, dark: colors, mono: "'Fira Code', monospace" })
  for (const name of SHADES)
    assert.match(sheet, new RegExp(`--${name}:light-dark\\(#[0-9a-f]{6},#[0-9a-f]{6}\\);`))
  assert.match(sheet, /--mono:'Fira Code', monospace;/)
})

test('code can be read in every theme of Shiki', () => {
  const colors = {
    primary: '#0b6657',
    info: '#1f5f99',
    success: '#21692f',
    warning: '#865000',
    danger: '#a62b20',
  }
  const themes = CODE_THEMES.filter((name) => !name.startsWith('default-'))
  assert(themes.length > 50)
  for (const name of themes) {
    const code = codeColorsOf(name)
    assert(code, name)
    assert(Object.keys(code.tokens).length > 4, name)
    const sheet = themeSheet({ theme: 'clean', light: colors, dark: colors, codeLight: code })
    const tokens = [...sheet.matchAll(/--t[a-z]:(#[0-9a-f]{6});/g)].map(([, shade = '']) => shade)
    assert(tokens.length > 10, name)
    for (const shade of tokens) assert(contrast(shade, code.background) >= TEXT_CONTRAST, `${name} ${shade}`)
  }
  assert.equal(codeColorsOf('default-light'), undefined)
  assert.equal(codeColorsOf('__proto__'), undefined)
})
