import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  addPage,
  branch,
  emptyContent,
  snapshotOf,
  withChanges,
  type Content,
} from '../../../../test/core/histories.ts'
import { assertValid, merge, play } from '../../../../test/core/merge-laws.ts'
import type { Choice, Conflict } from './model.ts'
import { resolveConflict, sourcesToResolve } from './resolve.ts'

const NOW = '2026-06-01T00:00:00.000Z'

function settle(own: Content, conflict: Conflict, choice: Choice): Content | string {
  const snapshot = snapshotOf(own)
  const sources = new Map(sourcesToResolve(conflict, snapshot).map((hash) => [hash, own.sources.get(hash)!]))
  const resolution = resolveConflict({ conflict, choice, own: snapshot, sources, now: NOW })
  if ('refused' in resolution) return resolution.refused.message
  const after = withChanges(own, resolution.changes, resolution.documents)
  assertValid(after)
  return after
}

/** One page, as three sources have it; the own content after a merge, and what conflicts in it. */
function conflicting(base: string, primary: string, own: string) {
  const contents = [base, primary, own].map((source, i) => {
    const content = branch(emptyContent(), 'bxy'[i]!)
    if (source !== '') addPage(content, 'page', null, 'i', source)
    return content
  })
  for (const content of contents)
    for (const { sources } of contents) for (const one of sources) content.sources.set(...one)
  const { merged, result } = merge(contents[0]!, contents[1]!, contents[2]!)
  return { own: result, conflicts: merged.conflicts }
}

function sourceIn(content: Content | string): string {
  assert.ok(typeof content !== 'string', content as string)
  return content.sources.get(content.pages.get('page')!.document!)!
}

test('a block is settled as a side has it, or with given Markdown, and every other byte stays', () => {
  const { own, conflicts } = conflicting(
    '# T\n\none\n\ntwo\n\nthree\n',
    '# T\n\none\n\ntwo p\n\nthree\n',
    '# T\n\none\n\ntwo o\n\nthree\n',
  )
  const [conflict] = conflicts
  assert.equal(conflicts.length, 1)
  assert.equal(sourceIn(settle(own, conflict!, { side: 'own' })), '# T\n\none\n\ntwo o\n\nthree\n')
  assert.equal(sourceIn(settle(own, conflict!, { side: 'primary' })), '# T\n\none\n\ntwo p\n\nthree\n')
  assert.equal(sourceIn(settle(own, conflict!, { content: 'a\n\nb\n' })), '# T\n\none\n\na\n\nb\n\nthree\n')
  assert.equal(sourceIn(settle(own, conflict!, { content: null })), '# T\n\none\n\nthree\n')
  assert.match(settle(own, conflict!, { content: 1 }) as string, /must be Markdown/)
})

test('a block is found again after edits around it, and refused after an edit of it', () => {
  const { own, conflicts } = conflicting('x\n\ntwo\n\ny\n', 'x\n\ntwo p\n\ny\n', 'x\n\ntwo o\n\ny\n')
  const edited = (source: string) => {
    const content = branch(own, 'y')
    addPage(content, 'page', null, 'i', source)
    return settle(content, conflicts[0]!, { side: 'primary' })
  }
  assert.equal(sourceIn(edited('new\n\nx x\n\ntwo o\n\nend')), 'new\n\nx x\n\ntwo p\n\nend')
  assert.equal(sourceIn(edited('two o\n\nq\n\nx\n\ntwo o\n\ny\n')), 'two o\n\nq\n\nx\n\ntwo p\n\ny\n')
  assert.match(edited('x\n\ntwo and more\n\ny\n') as string, /was changed since/)
})

test('a block that the own side deleted is put back where it stood, and one that primary deleted goes', () => {
  const back = conflicting('a\n\nb\n\nc\n', 'a\n\nb p\n\nc\n', 'a\n\nc\n')
  assert.equal(sourceIn(back.own), 'a\n\nc\n')
  assert.equal(sourceIn(settle(back.own, back.conflicts[0]!, { side: 'primary' })), 'a\n\nb p\n\nc\n')

  const last = conflicting('a\n\nb\n', 'a\n', 'a\n\nb o\n')
  assert.equal(sourceIn(settle(last.own, last.conflicts[0]!, { side: 'primary' })), 'a\n')
})

test('a key of the front matter is settled in the front matter', () => {
  const page = (head: string) => `${head}text\n`
  const { own, conflicts } = conflicting(
    page('---\nx: 1\ny: 1\n---\n'),
    page('---\nx: 2\ny: 1\n---\n'),
    page('---\ny: 2\n---\n'),
  )
  assert.equal(sourceIn(own), '---\ny: 2\n---\ntext\n')
  assert.equal(sourceIn(settle(own, conflicts[0]!, { side: 'primary' })), '---\ny: 2\nx: 2\n---\ntext\n')
})

test('a title is settled in the record and in the source', () => {
  const { own, conflicts } = conflicting('# A\n\ntext\n', '# P\n\ntext\n', '# O\n\ntext\n')
  assert.deepEqual(
    conflicts.map(({ kind, field, primary, own: mine }) => ({ kind, field, primary, mine })),
    [{ kind: 'field', field: 'title', primary: 'P', mine: 'O' }],
  )
  assert.equal(sourceIn(settle(own, conflicts[0]!, { side: 'primary' })), '# P\n\ntext\n')
  assert.equal(sourceIn(settle(own, conflicts[0]!, { content: 'Given' })), '# Given\n\ntext\n')
  for (const content of ['', 'a\nb', 7, null, {}])
    assert.equal(typeof settle(own, conflicts[0]!, { content }), 'string')
})

test('a deleted page comes back with all below it, or at the top level where what was above it is gone', () => {
  const base = emptyContent()
  for (const [id, parent] of [
    ['top', null],
    ['a', 'top'],
    ['b', 'a'],
  ] as const)
    addPage(base, id, parent, 'i', `# ${id}\n`)
  const [primary, own] = [branch(base, 'x'), branch(base, 'y')]
  addPage(primary, 'b', 'a', 'i', '# b\n\nEdited.\n')
  own.pages.delete('a')
  own.pages.delete('b')
  const { merged, result } = merge(base, primary, own)
  assert.deepEqual([...result.pages.keys()], ['top'])

  const back = settle(result, merged.conflicts[0]!, { side: 'primary' }) as Content
  assert.deepEqual(
    [...back.pages.values()].map(({ id, parent }) => [id, parent]),
    [
      ['top', null],
      ['a', 'top'],
      ['b', 'a'],
    ],
  )
  result.pages.delete('top')
  const alone = settle(result, merged.conflicts[0]!, { side: 'primary' }) as Content
  assert.deepEqual(
    [...alone.pages.values()].map(({ id, parent }) => [id, parent]),
    [
      ['a', null],
      ['b', 'a'],
    ],
  )
  assert.match(settle(result, merged.conflicts[0]!, { content: 'x' }) as string, /does not accept content/)
})

test('variables and redirects of a space are settled by name', () => {
  const contents = [1, 2, 3].map((value) => ({ ...emptyContent(), variables: { a: value, b: 0 } }))
  const { merged, result } = merge(contents[0]!, contents[1]!, contents[2]!)
  const [conflict] = merged.conflicts
  assert.deepEqual([conflict!.object, conflict!.field, conflict!.name], ['space', 'variables', 'a'])
  assert.deepEqual((settle(result, conflict!, { side: 'primary' }) as Content).variables, { a: 2, b: 0 })
  assert.deepEqual((settle(result, conflict!, { content: 9 }) as Content).variables, { a: 9, b: 0 })
})

test('a conflict on a field that the own side emptied can be resolved', () => {
  const entry = (line: string) => `---\nx: 1\n${line}\n---\ntext\n`
  const comment = conflicting(entry('# a'), entry('# p'), entry(''))
  assert.deepEqual(
    comment.conflicts.map(({ base, primary, own }) => [base, primary, own]),
    [['# a', '# p', null]],
  )
  assert.match(sourceIn(settle(comment.own, comment.conflicts[0]!, { side: 'primary' })), /# p\n---\ntext\n$/)

  const many = (word: string) => Array.from({ length: 501 }, (_, i) => `${word} ${i}`).join('\n\n')
  const head = '---\nx: 1\n---\n'
  const whole = conflicting(`${head}${many('base')}\n`, `${head}${many('primary')}\n`, head)
  assert.deepEqual(
    whole.conflicts.map(({ kind, own }) => [kind, own]),
    [['body', null]],
  )
  assert.match(sourceIn(settle(whole.own, whole.conflicts[0]!, { side: 'primary' })), /primary 500\n?$/)
})

test('a conflict whose text is empty is settled as one of no text', () => {
  const { own, conflicts } = conflicting('a\n\nb\n\nc\n', 'a\n\nb p\n\nc\n', 'a\n\nc\n')
  const emptied = { ...conflicts[0]!, own: '' }
  assert.equal(sourceIn(settle(own, emptied, { side: 'primary' })), 'a\n\nb p\n\nc\n')
})

test('another block that reads the same is not taken for the one of the conflict', () => {
  const answers = (fast: string, safe = 'Yes.') => `Is it fast?\n\n${fast}\n\nIs it safe?\n\n${safe}\n`
  const { own, conflicts } = conflicting(answers('Maybe.'), answers('No, it is slow.'), answers('Yes.'))
  const edited = (source: string) => {
    const content = branch(own, 'y')
    addPage(content, 'page', null, 'i', source)
    return settle(content, conflicts[0]!, { side: 'primary' })
  }
  for (const source of [answers('Very fast.'), `${answers('Very fast.')}\nEnd.\n`, 'Is it safe?\n\nYes.\n'])
    assert.match(edited(source) as string, /was changed since/)
  assert.equal(sourceIn(edited(answers('Yes.', 'Very.'))), answers('No, it is slow.', 'Very.'))
  assert.equal(sourceIn(edited(`New.\n\n${answers('Yes.')}`)), `New.\n\n${answers('No, it is slow.')}`)

  const alike = (first: string) => `Q\n\n${first}\n\nQ\n\nYes.\n`
  const second = conflicting(alike('Maybe.'), alike('No.'), alike('Yes.'))
  const content = branch(second.own, 'y')
  addPage(content, 'page', null, 'i', alike('Very fast.'))
  assert.match(settle(content, second.conflicts[0]!, { side: 'primary' }) as string, /was changed since/)
})

test('a key of the front matter is looked for only there, and settled only if it is as it was', () => {
  const page = (value: string, body: string) => `---\n${value}\n---\n\n${body}`
  const { own, conflicts } = conflicting(
    page('x: 1', 'text\n'),
    page('x: 2', 'text\n'),
    page('x: 3', 'text\n\nx: 3\n'),
  )
  const entry = conflicts.find(({ place }) => place?.key === 'x')!
  assert.equal(sourceIn(settle(own, entry, { side: 'primary' })), page('x: 2', 'text\n\nx: 3\n'))
  const content = branch(own, 'y')
  addPage(content, 'page', null, 'i', page('x: 4', 'text\n\nx: 3\n'))
  assert.match(settle(content, entry, { side: 'primary' }) as string, /was changed since/)
})

test('settling that a page is deleted takes no page with it that came there since', () => {
  const base = emptyContent()
  addPage(base, 'top', null, 'i', '# Top\n')
  addPage(base, 'other', null, 'j', '# Other\n')
  const [primary, own] = [branch(base, 'x'), branch(base, 'y')]
  primary.pages.delete('top')
  addPage(own, 'top', null, 'i', '# Top\n\nEdited.\n')
  const { merged, result } = merge(base, primary, own)
  const [conflict] = merged.conflicts
  const gone = settle(result, conflict!, { side: 'primary' }) as Content
  assert.deepEqual([...gone.pages.keys()], ['other'])

  addPage(result, 'other', 'top', 'i', '# Other\n')
  assert.match(settle(result, conflict!, { side: 'primary' }) as string, /"Other"; move that elsewhere first/)
})

test('settling that a page comes back leaves what was below it where it is now', () => {
  const base = emptyContent()
  addPage(base, 'top', null, 'i', '# Top\n')
  addPage(base, 'child', 'top', 'i', '# Child\n')
  addPage(base, 'other', null, 'j', '# Other\n')
  const [primary, own] = [branch(base, 'x'), branch(base, 'y')]
  addPage(primary, 'top', null, 'i', '# Top\n\nEdited.\n')
  own.pages.delete('top')
  addPage(own, 'child', 'other', 'i', '# Child\n')
  const { merged, result } = merge(base, primary, own)
  const conflict = merged.conflicts.find(({ kind }) => kind === 'existence')!
  const back = settle(result, conflict, { side: 'primary' }) as Content
  assert.equal(back.pages.get('top')!.parent, null)
  assert.equal(back.pages.get('child')!.parent, 'other')
})

test('content for a key of the front matter is that key alone, and the record says what it says', () => {
  const page = (value: string) => `---\nx: ${value}\ny: 1\n---\n\ntext\n`
  const { own, conflicts } = conflicting(page('1'), page('2'), page('3'))
  const [entry] = conflicts
  const refused = [
    'x: 4\n---\n\n# Out',
    'hidden: true',
    'x: 4\nhidden: true',
    'x: [',
    'x: "4',
    'x',
    '---',
    'x: 4\n...\n',
    'x: |\n  4\n---',
    'x: 4\n? y\n: 5',
  ]
  for (const content of refused)
    assert.match(
      settle(own, entry!, { content }) as string,
      /must be the lines of the front matter's key "x"/,
    )
  assert.equal(
    sourceIn(settle(own, entry!, { content: '# c\nx:\n  - 4\n' })),
    page('1').replace('x: 1', '# c\nx:\n  - 4'),
  )
  assert.equal(sourceIn(settle(own, entry!, { content: null })), '---\ny: 1\n---\n\ntext\n')
})

test('a first block that becomes front matter is said by the record too', () => {
  const { own, conflicts } = conflicting('one\n', 'one p\n', 'one o\n')
  const after = settle(own, conflicts[0]!, { content: '---\nhidden: true\n---\n\nGiven.' }) as Content
  assert.equal(after.pages.get('page')!.hidden, true)
})

test('a value that is given for a field keeps the rules of a batch', () => {
  const own = emptyContent()
  addPage(own, 'page', null, 'i', '# Page\n')
  addPage(own, 'other', null, 'j', '# Other\n')
  const given = (field: string, content: unknown) => {
    const conflict = { key: 'k', object: 'page', id: 'page', title: 'Page', kind: 'field', field } as const
    return settle(own, { ...conflict, base: 'a', primary: 'b', own: 'c' }, { content })
  }
  const refused = (field: string, content: unknown) => {
    const why = given(field, content)
    assert(typeof why === 'string', `${field} takes ${JSON.stringify(content)}`)
    return why
  }
  const wrong: [string, unknown][] = [
    ['title', 'x'.repeat(1001)],
    ['linkTitle', 'x'.repeat(1001)],
    ['emoji', 'x'.repeat(51)],
    ['icon', 'x'.repeat(51)],
    ['description', 'x'.repeat(10_001)],
    ['condition', '(((('],
    ['condition', 'x'.repeat(1025)],
    ['slug', 'other'],
    ['slug', 'Other'],
    ['slug', 'sitemap.xml'],
    ['slug', 'two words'],
    ['slug', ''],
    ['slug', null],
    ['hidden', 'true'],
    ['tags', [{ tag: 'a', more: 1 }]],
    ['variables', { '1a': 1 }],
    ['variables', { a: 'x'.repeat(257) }],
    ['layout', {}],
    ['type', 'group'],
  ]
  for (const [field, content] of wrong)
    assert.match(refused(field, content), /^"content": /, `${field}: ${JSON.stringify(content)}`)
  assert.match(refused('layout', {}), /Content is accepted for blocks of a body and for the fields title, /)

  const valueOf = (field: string, content: unknown) =>
    ((given(field, content) as Content).pages.get('page') as unknown as Record<string, unknown>)[field]
  assert.equal(valueOf('title', ' A  title '), 'A title')
  assert.equal(valueOf('slug', 'page-2'), 'page-2')
  assert.equal(valueOf('slug', 'page'), 'page')
  assert.equal(valueOf('icon', 'book'), 'book')
  assert.equal(valueOf('icon', ''), undefined)
  assert.equal(valueOf('hidden', false), undefined)
})

test('a side that emptied a page does not contradict the fields in its front matter', () => {
  const { base, x, y } = play({
    base: [],
    x: [
      { kind: 'key', on: 1, at: 0, how: 2 },
      { kind: 'comment', on: 1, at: 3, how: 0 },
    ],
    y: [
      { kind: 'empty', on: 1, at: 0, how: 0 },
      { kind: 'meta', on: 1, at: 0, how: 0 },
    ],
  })
  assert.deepEqual(merge(base, x, y, 'own').merged.conflicts, [])
})
