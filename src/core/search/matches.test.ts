import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchPage } from './matches.ts'
import { needlesOf } from './needles.ts'
import { searchedSections, writtenTitle } from './searched-text.ts'
import { snippetOf } from './snippet.ts'
import { parseQuery } from './query.ts'

const needles = (query: string) => needlesOf(parseQuery(query), [1, 1, 1, 1, 1, 1], new Map())

function snippet(text: string, query: string): string {
  const [match] = matchPage(
    { title: '', ...searchedSections([{ title: '', text }]) },
    needles(query),
  ).sections
  return snippetOf(match!, needles(query))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')
}

test('a snippet shows the words where most of them are together', () => {
  assert.equal(snippet('Read the logs.', 'logs'), 'Read the [logs].')
  const far = `logs here. ${'x '.repeat(200)}Rotate the logs once a day. ${'y '.repeat(200)}`
  assert.match(snippet(far, 'rotate logs'), /^….*\[Rotate\] the \[logs\] once a day\..*…$/)
  assert.equal(snippet('使用 Lectern 恢复误删除的数据。', '误删除'), '使用 Lectern 恢复[误][删除]的数据。')
})

test('a snippet marks words as they are written, however the query spells them', () => {
  for (const [text, query, shown] of [
    ['Yeşil Işık yandı.', 'ışık', 'Yeşil [Işık] yandı.'],
    ['Die Große Straße.', 'strasse', 'Die Große [Straße].'],
    ['يرى كل مُسْتَخْدِم هذا', 'مستخدم', 'يرى كل [مُسْتَخْدِم] هذا'],
    ['دخول والمكتبة العامة', 'مكتبه', 'دخول وال[مكتبة] العامة'],
    ['Łódź i Kraków', 'lodz', '[Łódź] i Kraków'],
    ['ユーザー・ガイドを読む', 'ユーザーガイド', '[ユーザ]ー・[ガイド]を読む'],
  ] as const)
    assert.equal(snippet(text, query), shown)
})

test('a snippet is on one line, at most about 200 characters, without half characters', () => {
  const text = `${'😀'.repeat(300)} logs ${'😀\n'.repeat(300)}`
  const shown = snippet(text, 'logs')
  assert(shown.length < 320, String(shown.length))
  assert(shown.isWellFormed() && !shown.includes('\n') && !shown.includes('�'))
})

test('the section with all words comes first, and a title that is the query before others', () => {
  const page = {
    title: 'Logs',
    ...searchedSections([
      { title: 'One', text: 'logs' },
      { anchor: 'two', title: 'Two', text: 'rotate the logs' },
    ]),
  }
  assert.equal(
    matchPage(page, needles('rotate logs')).sections.map(({ section }) => writtenTitle(section))[0],
    'Two',
  )
  const other = { ...page, title: 'Other' }
  assert(matchPage(page, needles('logs')).score > matchPage(other, needles('logs')).score)
})

test('sections that are left out are not searched, and short and long pages are matched alike', () => {
  const sections = [
    { title: 'One', text: 'rotate' },
    { title: 'Secret logs', text: 'rotate the logs' },
    { title: 'Three', text: 'the logs' },
    { title: 'Rotate', text: 'nothing' },
  ]
  const all = searchedSections(sections)
  const titles = (page: typeof all) =>
    matchPage({ title: '', ...page }, needles('rotate logs'))
      .sections.map(({ section }) => writtenTitle(section))
      .toSorted()
  const spaces = ' '.repeat(30_000)
  const long = searchedSections(sections.map((one) => ({ ...one, text: one.text + spaces })))
  for (const page of [all, long]) {
    assert.deepEqual(titles(page), ['One', 'Rotate', 'Secret logs', 'Three'])
    const open = page.sections.filter((one) => writtenTitle(one) !== 'Secret logs')
    assert.deepEqual(titles({ ...page, sections: open }), ['One', 'Rotate', 'Three'])
  }
})

test('a section with an identifier comes before headings with one of its parts', () => {
  const page = {
    title: 'FAQ',
    ...searchedSections([
      {
        anchor: 'auto',
        title: 'When does auto analyze run?',
        text: 'An auto analyze runs after many changes.',
      },
      { anchor: 'hot', title: 'Hot spots', text: `Use AUTO_RANDOM. ${'More text. '.repeat(50)}` },
    ]),
  }
  const anchors = (query: string) =>
    matchPage(page, needles(query)).sections.map(({ section }) => section.anchor)
  assert.deepEqual(anchors('auto_random'), ['hot', 'auto'])
  assert.deepEqual(anchors('auto'), ['auto', 'hot'])
})

test('an identifier is also found where its parts are words, and better where all of them are', () => {
  const page = {
    title: 'Retries',
    ...searchedSections([
      { anchor: 'one', title: '', text: 'How to retry.' },
      { anchor: 'all', title: '', text: 'Retry at most max times.' },
    ]),
  }
  const found = matchPage(page, needles('retry_max_times')).sections
  assert.deepEqual(
    found.map(({ section }) => section.anchor),
    ['all', 'one'],
  )
})
