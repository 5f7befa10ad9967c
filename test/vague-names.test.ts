/** A name tells what a function returns and of what. A name that many files define, such as `nameOf`, does not. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Names that more than three files give to a function, with the number of these files. The list may only shrink: give a
 * definition the noun that it is about (`documentText`, `rowKey`), and lower the number or remove the name.
 */
const VAGUE_NAMES: Record<string, number> = {
  beginningOf: 4,
  blockOf: 4,
  blocksOf: 6,
  bodyOf: 7,
  bytesOf: 6,
  captionOf: 4,
  documentOf: 5,
  elementOf: 4,
  entriesOf: 6,
  faultOf: 6,
  fieldsOf: 4,
  firstOf: 4,
  groupsOf: 4,
  idOf: 7,
  idsOf: 4,
  indexOf: 5,
  keyOf: 4,
  languageOf: 4,
  lineOf: 5,
  linesOf: 6,
  listOf: 5,
  nameOf: 7,
  organizationOf: 6,
  pageOf: 6,
  piecesOf: 4,
  placeOf: 4,
  placesOf: 7,
  problemsOf: 4,
  refOf: 5,
  rowOf: 6,
  rowsOf: 4,
  sectionsOf: 4,
  segmentsOf: 4,
  sourceOf: 5,
  styleOf: 4,
  subjectOf: 4,
  textOf: 7,
  textsOf: 6,
  titleOf: 5,
  tokensOf: 6,
  treeOf: 4,
  valueOf: 4,
  valuesOf: 4,
  versionOf: 6,
  wordsOf: 6,
}

test('at most three files define a function of the same name that ends in "Of"', () => {
  const pattern =
    /^ *(?:export )?(?:(?:async )?function\*? ([a-z]\w*Of)\b|const ([a-z]\w*Of)\b[^=\n]*= (?:async )?(?:<[^>\n]*>)?(?:\(|\w+ =>))/gm
  const counts = new Map<string, number>()
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: ROOT })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(resolve(ROOT, file), 'utf8')
    const names = [...text.matchAll(pattern)].map(([, declared, constant]) => declared ?? constant ?? '')
    for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const vague = [...counts].filter(([, count]) => count > 3)
  assert.deepEqual(Object.fromEntries(vague), VAGUE_NAMES)
})
