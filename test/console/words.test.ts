/** The console has the same words in each of its languages. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { auditActions } from '../../src/effects/audit.ts'
import { AUDIT_SENTENCES } from '../../src/console/app/features/organization/audit-sentences.ts'
import { FIELDS } from '../../src/console/app/content/schema/fields.ts'
import {
  ALIGNMENTS,
  CARD_ROLES,
  CARD_SIZES,
  COLUMN_TYPES,
  IMAGE_FITS,
  VERTICAL_ALIGNMENTS,
  VIEWS,
} from '../../src/console/app/content/schema/table-fields.ts'
import { COVER_SIZES, LAYOUT_PARTS, PAGE_WIDTHS } from '../../src/console/app/content/tree/page-layout.ts'
import { nameOfField } from '../../src/console/app/diff/page-settings.ts'
import { readRefusal } from '../../src/console/app/words/refusal-text.ts'
import { REFUSALS_CHINESE } from '../../src/console/app/words/zh/refusals.ts'
import { CHINESE } from '../../src/console/app/words/zh/all.ts'
import { SEEN_PAGE_FIELDS } from '../../src/core/content/page-fields.ts'
import { loadRoutes, loadScimRoutes } from '../../src/server/routes.ts'

const actions = auditActions([...(await loadRoutes()), ...(await loadScimRoutes())]).map(({ id }) => id)
const sources = globSync('src/console/app/**/*.{ts,tsx}', {
  exclude: ['**/words/zh/*.ts', '**/words/words.ts'],
}).map((file) => readFileSync(file, 'utf8'))
/** The texts that are written as `t('…')`. Those that reach `t` in a variable are strings of the same sources. */
const texts = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)].map(([, single, double]) =>
      (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'),
    ),
  ),
)
const namesOf = (values: readonly (readonly [value: string, label: string])[]) =>
  values.map(([, label]) => label)
const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).toSorted()

test('every text of the console has Chinese words', () => {
  assert(texts.size > 500, `${texts.size}`)
  assert.deepEqual(
    [...texts].filter((text) => !(text in CHINESE)),
    [],
  )
})

test('no Chinese words are left over', () => {
  const written = sources.join('\n').replaceAll("\\'", "'")
  assert.deepEqual(
    Object.keys(CHINESE).filter((text) => !written.includes(text)),
    [],
  )
})

test('the Chinese words have the same values', () => {
  for (const [english, chinese] of Object.entries(CHINESE))
    assert.deepEqual(valuesOf(chinese), valuesOf(english), english)
})

test('the names of blocks, and what the menus of the editor offer, have Chinese words', () => {
  const list = readFileSync('src/console/app/editor/commands/insert-list.ts', 'utf8')
  const names = readFileSync('src/console/app/content/schema/names.ts', 'utf8')
  const shown = [
    ...list.matchAll(/\b(?:title|about|name): '([^']+)'/g),
    ...names.matchAll(/^ {2}\S+: '([^']+)',$/gm),
  ].map(([, text]) => text!)
  assert(shown.length > 130, `${shown.length}`)
  assert.deepEqual(
    shown.filter((text) => !['First', 'Second'].includes(text) && !(text in CHINESE)),
    [],
  )
})

test('the settings of blocks, tables and pages have Chinese words', () => {
  const ofFields = Object.values(FIELDS).flat()
  const ofTables = [COLUMN_TYPES, ALIGNMENTS, VERTICAL_ALIGNMENTS, VIEWS, CARD_SIZES, IMAGE_FITS].flat()
  const shown = [
    ...ofFields.flatMap(({ label, kind }) => [label, ...(typeof kind === 'object' ? namesOf(kind) : [])]),
    ...namesOf(ofTables),
    ...Object.values(CARD_ROLES),
    ...namesOf([LAYOUT_PARTS, PAGE_WIDTHS, COVER_SIZES].flat()),
    ...SEEN_PAGE_FIELDS.filter((name) => name !== 'document').map(nameOfField),
  ]
  assert(shown.length > 100, `${shown.length}`)
  // The formats of dates are examples.
  assert.deepEqual(
    [...new Set(shown)].filter((text) => !text.includes('2026') && !(text in CHINESE)),
    [],
  )
})

test('every action of the audit log has a sentence in each language', () => {
  assert.deepEqual(Object.keys(AUDIT_SENTENCES).toSorted(), actions.toSorted())
  for (const [action, sentence] of Object.entries(AUDIT_SENTENCES)) {
    assert.match(sentence, /^\{actor\} \w/, action)
    assert(sentence in CHINESE, action)
  }
})

test('the messages of the API that writers meet are read in Chinese, and others stay', () => {
  const wordOf = (kind: string, value: string) =>
    ({ 'role edit': '编辑者', 'field title': '标题' } as Record<string, string>)[`${kind} ${value}`] ?? value
  const words = { catalogue: REFUSALS_CHINESE, wordOf }
  const messages: [message: string, read: string][] = [
    ['The change request does not exist, or you cannot see it', '所请求的内容不存在，或您无权查看'],
    ['Too many attempts; retry in 7 seconds', '尝试次数过多；请在 7 秒后重试'],
    ['This requires the permission "edit" on this space', '这需要此空间的“编辑者”权限'],
    ['Another page has the path "guide"; choose another one', '路径“guide”已被占用；请选择其他路径'],
    ['body.title is required', '“标题”必填'],
    [
      'body.title must have at most 5 characters, but has 7; query.limit must be at most 1, but was 2',
      '“标题”最多 5 个字符，但有 7 个；“limit”最多为 1，但现在是 2',
    ],
    ['body.emails.0 must be of moss', '“emails” must be of moss'],
    ['The moon is full; body.title is required', 'The moon is full; “title” is required'],
    [
      'a value of the tag "{% tab … %}" has a condition, which is none there, so what follows it in the value, or the block around a tag within a line, is hidden from everybody; put the condition around the whole block',
      '标签“{% tab … %}”的值包含条件，它在那里不是条件，因此该值中其后的内容（或行内标签所在的内容块）对所有人隐藏；请将条件放在整个内容块周围',
    ],
    ['', ''],
  ]
  for (const [message, read] of messages) assert.equal(readRefusal(message, words), read, message)
  assert.equal(readRefusal('body.newName is required', undefined), '“new name” is required')
})
