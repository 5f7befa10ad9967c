/** The console has its words in each of its languages. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { auditActions } from '../../src/effects/audit.ts'
import { PAGE_LANGUAGES } from '../../src/core/languages/page-languages.ts'
import { SEEN_PAGE_FIELDS } from '../../src/core/content/page-fields.ts'
import { nameOfField } from '../../src/console/app/diff/page-settings.ts'
import { type Refused, readRefusal } from '../../src/console/app/words/refusal-text.ts'
import { messageIn } from '../../src/console/render/refusals.ts'
import { because, REASONS } from '../../src/core/languages/reasons.ts'
import { faultParameters, type Reasoned } from '../../src/core/languages/reasoned.ts'
import { faultAt, invalidFields } from '../../src/http/errors.ts'
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
const isRefusal = (id: string) => id.startsWith('refusal.')

test('the console has a catalogue for each language that people can choose', () => {
  assert.deepEqual(languagesOfCatalogues(), Object.keys(PAGE_LANGUAGES).toSorted())
})

test('every text is an ICU message with the values of the English one, and has an id in order', (context) => {
  assert(ids.length > 1400, `${ids.length}`)
  for (const language of languagesOfCatalogues()) {
    const { missing, unknown, faulty } = checkCatalogue(language)
    assert.deepEqual({ unknown, faulty }, { unknown: [], faulty: [] }, language)
    // The console shows these in English until somebody translates them.
    const [refusals, others] = [missing.filter(isRefusal), missing.filter((id) => !isRefusal(id))]
    if (missing.length > 0)
      context.diagnostic(`${language} lacks ${[...others, `${refusals.length} refusals`].join(', ')}`)
    const own = Object.keys(readMessages(language))
    assert.deepEqual(own, own.toSorted(), language)
  }
})

test('a catalogue that lacks texts is listed, and one with faults is refused', () => {
  const texts = { a: 'A', b: '{n, plural, one {# page} other {# pages}}', c: 'Edit {title}' }
  const own = { b: '{n} 页', c: '编辑 {name}', d: '丁', a: '{' }
  assert.deepEqual(checkCatalogue('zh', own, texts, new Map()), {
    language: 'zh',
    missing: [],
    unknown: ['d'],
    faulty: ['a', 'c'],
  })
  assert.deepEqual(checkCatalogue('zh', {}, texts, new Map()).missing, ['a', 'b', 'c'])
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
    ids.filter((id) => !id.startsWith('audit.') && !written.includes(`'${id.replace(/^refusal\./, '')}'`)),
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

test('a message of the API is read in Chinese by its reason, and others stay', () => {
  const fieldNameAt = (path: string) =>
    ({ 'body.title': '标题', '.newName': 'new name' })[path] ?? path.replace(/^.*\./, '')
  const translate = (reason: string, parameters: Reasoned['parameters']) => {
    const [message, text] = [' ', messageIn('zh', { reason, parameters, message: ' ' })]
    return text === message ? undefined : text
  }
  const words = { fieldNameAt, translate }
  const messages: [message: Refused, read: string][] = [
    [because('not-found', { kind: 'change request' }), '所请求的内容不存在，或您无权查看'],
    [because('too-many-attempts', { seconds: 7 }), '尝试次数过多；请在 7 秒后重试'],
    [because('needs-role-on-space', { role: '编辑者' }), '这需要此空间的“编辑者”权限'],
    [because('path-taken', { kind: 'page', path: 'guide' }), '路径“guide”已被占用；请选择其他路径'],
    [because('conflicts-open', { count: 2 }), '此变更请求有 2 个未解决的冲突：请先解决'],
    [invalidFields([faultAt('body.title', because('required'))]), '“标题”必填'],
    [
      invalidFields([
        faultAt('body.title', because('too-long', { limit: 5, size: 7 })),
        faultAt('query.limit', because('too-large-but-was', { most: 1, value: '2' })),
      ]),
      '“标题”最多 5 个字符，但有 7 个；“limit”最多为 1，但现在是 2',
    ],
    [invalidFields([faultAt('body.emails.0', 'must be of moss')]), '“0” must be of moss'],
    [
      invalidFields([faultAt('body.title', because('required')), faultAt('body.a', 'is blue')]),
      '“title” is required; “a” is blue',
    ],
    [{ message: 'The moon is full', reason: 'from-a-newer-server' }, 'The moon is full'],
    [
      because('condition-in-value', { tag: '{% tab … %}' }),
      '标签“{% tab … %}”的值包含条件，它在那里不是条件，因此该值中其后的内容（或行内标签所在的内容块）对所有人隐藏；请将条件放在整个内容块周围',
    ],
    [
      because('condition-tag-open'),
      '一个像条件的标签在其所在行没有结束，因此其后的内容对所有人隐藏；请按手册写“{% if … %}”和“{% endif %}”，或在标签前加反斜杠',
    ],
    [
      because('import-refused', faultParameters(because('archive-path-twice', { path: 'a.md' }))),
      '导入被拒绝：“a.md”在压缩包中出现两次',
    ],
    [
      because(
        'import-refused',
        faultParameters(
          because('head-exceeds-limit', {
            name: 'a.md',
            ...faultParameters(
              because(
                'has-front-matter-that',
                faultParameters(because('yaml-nested', { limit: 4, line: 5 })),
              ),
            ),
          }),
        ),
      ),
      '导入被拒绝：“a.md”的 front matter 第 5 行嵌套超过 4 层',
    ],
    [
      // A message without a reason within others keeps its words, and those around it.
      because(
        'condition-invalid',
        faultParameters(
          because('expression-at-column', { column: 3, ...faultParameters({ message: 'The moon is full' }) }),
        ),
      ),
      '不是条件：The moon is full at column 3',
    ],
    [
      {
        ...because('merge-rules-not-met', { faults: 'The current content must be approved.' }),
        details: [faultAt('mergeRules.rules.0', because('approval-missing'))],
      },
      '不满足此空间的合并规则：当前内容需要获得批准',
    ],
    [
      because('import-refused', faultParameters({ message: 'The moon is full' })),
      '导入被拒绝：The moon is full',
    ],
    [
      because('parts-left-out', {
        ...faultParameters(because('unknown-shortcode', { name: 'x' })),
        count: 2,
      }),
      '包含短代码“x”，共 2 处，无法识别，已略去',
    ],
    [because('reference-not-in-archive', { kind: 'page', name: 7 }), '引用了页面 7，压缩包中没有它'],
    [because('invalid-values'), '请求中的一些值无效'],
    [{ message: '' }, ''],
  ]
  for (const [message, read] of messages) assert.equal(readRefusal(message, words), read, message.message)
  const untranslated = { ...words, translate: () => undefined }
  assert.equal(readRefusal({ message: 'body.newName is required' }, untranslated), '“new name” is required')
})

/** How many reasons have a Chinese text. More is better. */
const LEAST_TRANSLATED = 765

test('no fewer reasons have Chinese texts than before', () => {
  const chinese = readMessages('zh')
  const translated = Object.keys(REASONS).filter((reason) => Object.hasOwn(chinese, `refusal.${reason}`))
  assert(translated.length >= LEAST_TRANSLATED, `${translated.length}`)
})
