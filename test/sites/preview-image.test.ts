import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewSvg } from '../../src/sites/render/preview-image.ts'

const linesOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)
const draw = (title: string, description?: string) =>
  previewSvg({ site: 'Docs', title, description, primary: '#ffee00', direction: 'ltr' })

test('a title is broken between words, and cut after three lines', () => {
  const title =
    'How to move an installation with a large database to another machine without losing a single request'
  const [site, ...lines] = linesOf(draw(title))
  assert.equal(site, 'Docs')
  assert.equal(lines.length, 3)
  assert.match(lines[2] ?? '', /…$/)
  for (const line of lines) assert.ok(line.length <= 28, line)
})

test('a text without spaces is broken too', () => {
  assert.equal(linesOf(draw('x'.repeat(60))).length, 4)
  assert.equal(linesOf(draw('安'.repeat(30))).length, 4)
})

test('text is escaped, and can be read on the colour', () => {
  const svg = draw('</text><script>alert(1)</script>', '"><image href="file:///etc/passwd"/>')
  assert.doesNotMatch(svg, /<script|<image/)
  assert.match(svg, /fill="#000000"/)
})
