/** The QR code for authenticator apps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'uqr'
import { totpUri } from '../../src/access/credentials/totp.ts'
import { renderQrCode } from '../../src/console/render/qr-code.ts'

const uriFor = (account: string) => totpUri('A'.repeat(32), { issuer: 'Lectern', account })

/** The modules that a path of rectangles paints. */
function painted(svg: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)![1])
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const [, path = ''] = /fill="#000" d="([^"]*)"/.exec(svg)!
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    rows[Number(y)]!.fill(true, Number(x), Number(x) + Number(width))
  assert.equal(path.replaceAll(/M\d+ \d+h(\d+)v1h-\1z/g, ''), '')
  return rows
}

test('paints each dark module of the code, with an empty border of four modules', () => {
  const uri = uriFor('ada@example.com')
  const rows = painted(String(renderQrCode(uri, 'a code')))
  assert.deepEqual(rows, encode(uri, { ecc: 'M', border: 4 }).data)
  const border = [rows.slice(0, 4), rows.slice(-4), rows.map((row) => [...row.slice(0, 4), ...row.slice(-4)])]
  assert(border.flat(2).every((dark) => !dark))
})

test('has no styles, and escapes its label', () => {
  const svg = String(renderQrCode('x', '"><script>'))
  assert.doesNotMatch(svg, /style|<script/)
})

test('has at most 90 modules for the longest address', () => {
  assert(painted(String(renderQrCode(uriFor(`${'+'.repeat(242)}@example.com`), 'a code'))).length < 90)
})
