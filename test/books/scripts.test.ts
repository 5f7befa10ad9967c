/** PDF files with text in a script for which there is no font. */
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultsOfFonts } from '../../src/books/font-folder.ts'
import { BOOK_FONTS } from '../../src/books/fonts.ts'
import { adviceFor } from '../../src/books/missing-scripts.ts'
import { packagedFile } from '../../src/core/runtime/packaged-files.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { temporaryFolder } from '../process.ts'
import { createWorld } from '../world.ts'
import { readPdf, withoutPdfTools } from './tools.ts'

const world = await createWorld()

test('text in a script without a font is a problem of its page, with what to do', async () => {
  const files = {
    'README.md': '# Welcome\n\nFor all: Ελλ Бук 中文 हिन्दी.\n',
    'tangut.md': '# Tangut\n\n𗀀𗀁\n',
  }
  const { spaceId } = await spaceWith(world, archiveOf(files), 'Scripts')
  const { body } = await world.ada(`GET /v1/spaces/${spaceId}/pdf`)
  assert.equal(body.problems.length, 1, JSON.stringify(body))
  assert.deepEqual([body.problems[0].title, body.problems[0].scripts], ['Tangut', ['Tangut']])
  assert.match(body.problems[0].message, /LECTERN_FONTS/)
  if (!withoutPdfTools) {
    const { text } = readPdf(new Uint8Array(await (await fetch(body.url)).arrayBuffer()))
    const sheets = text.split('\f').map((sheet) => sheet.replaceAll(/\s+/g, ' '))
    const noted = sheets.flatMap((sheet, index) =>
      sheet.includes('No font has the letters of Tangut') ? [index] : [],
    )
    assert.deepEqual(noted, [1, 3], 'the contents and the page say so')
  }
  const epub = await world.ada(`GET /v1/spaces/${spaceId}/pdf?format=epub`)
  assert.deepEqual(epub.body.problems, [])
})

test('a missing font is named as it is called', () => {
  assert.match(adviceFor(['Tibetan']).message, /such as Noto Serif Tibetan,/)
  assert.match(adviceFor(['Khmer', 'Lao']).message, /of Khmer, Lao, .* such as Noto Sans Khmer,/)
})

test('the folder of fonts is checked at the start, and its faults name the file', (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const check = () => faultsOfFonts(folder.path)
  assert.match(check().join(), /has no fonts: files that end in \.ttf/)
  const good = join(folder.path, 'good.ttf')
  copyFileSync(packagedFile(BOOK_FONTS.find(([, file]) => /\.(ttf|otf)$/.test(file))!), good)
  assert.deepEqual(check(), [])
  const size = readFileSync(good).length
  truncateSync(good, size - 100)
  assert.match(check().join(), /good\.ttf is cut off/)
  writeFileSync(good, 'not a font at all')
  assert.match(check().join(), /good\.ttf is not a font/)
  assert.match(faultsOfFonts(join(folder.path, 'nowhere')).join(), /cannot be read as a folder \(ENOENT\)/)
})
