/** The console has its words in each of its languages. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { auditActions } from '../../src/effects/audit.ts'
import { PAGE_LANGUAGES } from '../../src/core/languages/page-languages.ts'
import { SEEN_PAGE_FIELDS } from '../../src/core/content/page-fields.ts'
import { nameOfField } from '../../src/console/app/diff/page-settings.ts'
import { readRefusal } from '../../src/console/app/words/refusal-text.ts'
import { REFUSALS_CHINESE } from '../../src/console/app/words/zh/refusals.ts'
import { loadRoutes, loadScimRoutes } from '../../src/server/routes.ts'
import {
  checkCatalogue,
  languagesOfCatalogues,
  printValues,
  readMessages,
  VALUES_FILE,
} from '../../tools/words/print.ts'

const actions = auditActions([...(await loadRoutes()), ...(await loadScimRoutes())]).map(({ id }) => id)
const english = readMessages('en')
const ids = Object.keys(english)

test('the console has a catalogue for each language that people can choose', () => {
  assert.deepEqual(languagesOfCatalogues(), Object.keys(PAGE_LANGUAGES).toSorted())
})

test('every text is an ICU message with the values of the English one, and has an id in order', (context) => {
  assert(ids.length > 1400, `${ids.length}`)
  for (const language of languagesOfCatalogues()) {
    const { missing, unknown, faulty } = checkCatalogue(language)
    assert.deepEqual({ unknown, faulty }, { unknown: [], faulty: [] }, language)
    // The console shows these in English until somebody translates them.
    if (missing.length > 0) context.diagnostic(`${language} lacks ${missing.join(', ')}`)
    const own = Object.keys(readMessages(language))
    assert.deepEqual(own, own.toSorted(), language)
  }
})

test('a catalogue that lacks texts is listed, and one with faults is refused', () => {
  const texts = { a: 'A', b: '{n, plural, one {# page} other {# pages}}', c: 'Edit {title}' }
  const own = { b: '{n} 页', c: '编辑 {name}', d: '丁', a: '{' }
  assert.deepEqual(checkCatalogue('zh', own, texts), {
    language: 'zh',
    missing: [],
    unknown: ['d'],
    faulty: ['a', 'c'],
  })
  assert.deepEqual(checkCatalogue('zh', {}, texts).missing, ['a', 'b', 'c'])
  assert.match(printValues(texts), /'b': \{ n: number \}\n {2}'c': \{ title: string \| number \}/)
})

test('the types of the values are those of the English texts', () => {
  assert.equal(
    readFileSync(VALUES_FILE, 'utf8'),
    printValues(),
    'The English catalogue has changed: run `npm run words`',
  )
})

test('no English text is left over', () => {
  const sources = globSync('src/console/app/**/*.{ts,tsx}', { exclude: ['**/words/message-values.ts'] })
  const written = sources.map((file) => readFileSync(file, 'utf8')).join('\n')
  assert.deepEqual(
    ids.filter((id) => !id.startsWith('audit.') && !written.includes(`'${id}'`)),
    [],
  )
})

test('every action of the audit log has a sentence', () => {
  const ofAudit = ids.filter((id) => id.startsWith('audit.'))
  const notActions = ofAudit.filter((id) => !english[id]!.startsWith('{actor} '))
  assert.deepEqual(
    ofAudit.filter((id) => !notActions.includes(id)).toSorted(),
    actions.map((action) => `audit.${action}`).toSorted(),
  )
  assert.deepEqual(notActions, [])
})

test('every field of a page that reviews show has a name', () => {
  for (const name of SEEN_PAGE_FIELDS.filter((one) => one !== 'document'))
    assert.equal(typeof nameOfField(name), 'string', name)
})

test('the messages of the API that writers meet are read in Chinese, and others stay', () => {
  const wordOf = (kind: string, value: string) => (kind === 'role' && value === 'edit' ? '编辑者' : value)
  const fieldNameAt = (path: string) =>
    ({ '.title': '标题', '.emails.0': 'emails', '.newName': 'new name' })[path] ?? path.slice(1)
  const words = { catalogue: REFUSALS_CHINESE, fieldNameAt, wordOf }
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
    ['The moon is full; body.title is required', 'The moon is full; “标题” is required'],
    [
      'a value of the tag "{% tab … %}" has a condition, which is none there, so what follows it in the value, or the block around a tag within a line, is hidden from everybody; put the condition around the whole block',
      '标签“{% tab … %}”的值包含条件，它在那里不是条件，因此该值中其后的内容（或行内标签所在的内容块）对所有人隐藏；请将条件放在整个内容块周围',
    ],
    ['', ''],
  ]
  for (const [message, read] of messages) assert.equal(readRefusal(message, words), read, message)
  assert.equal(readRefusal('body.newName is required', { ...words, catalogue: {} }), '“new name” is required')
})
