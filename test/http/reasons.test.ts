/** The reasons of messages: which there are, what they need, and that each message has one. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PROBLEM_REASONS } from '../../src/core/languages/problem-reasons.ts'
import { because, REASONS } from '../../src/core/languages/reasons.ts'
import type { Problem } from '../../src/core/repository/model.ts'
import { errorBody, invalidField } from '../../src/http/errors.ts'
import { languagesOfCatalogues, readMessages } from '../../tools/words/print.ts'

const sources = globSync('src/**/*.{ts,tsx}', {
  exclude: ['**/*-reasons.ts', '**/*.test.ts', 'src/console/app/**'],
}).map((file) => readFileSync(file, 'utf8'))
const written = sources.join('\n')

test('every reason is used', () => {
  // The rest of these is that of a variable.
  const families = [...written.matchAll(/`([a-z-]+-)\$\{\w+\}`/g)].map(([, start = '']) => start)
  assert(families.includes('needs-role-') && families.includes('too-many-invitations-'))
  const isUsed = (reason: string) =>
    written.includes(`'${reason}'`) || families.some((start) => reason.startsWith(start))
  assert.deepEqual(
    Object.keys(REASONS).filter((reason) => !isUsed(reason.replace(/-but-was$/, ''))),
    [],
  )
})

test('each reason is in one table', async () => {
  const names: string[] = []
  for (const file of globSync('src/core/languages/*-reasons.ts')) {
    const tables = Object.values((await import(`../../${file}`)) as Record<string, object>)
    for (const table of tables) names.push(...Object.keys(table))
  }
  assert.deepEqual(names.toSorted(), Object.keys(REASONS).toSorted())
})

test('a reason has a name of words, and a message with its parameters', () => {
  for (const [reason, text] of Object.entries(REASONS)) {
    assert.match(reason, /^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    // A placeholder is a name, or a number with its noun. Only tags of conditions are braces that stay.
    const rest = text.replaceAll(
      /\{\w+\}|\{\w+, plural, one \{[^{}]+\} other \{[^{}]+\}\}|\{% (?:if … |endif )%\}|\{\}/g,
      '',
    )
    assert.doesNotMatch(rest, /[{}]/, reason)
  }
})

test('a message is made of its reason and parameters, which the response has too', () => {
  assert.deepEqual(because('too-many-attempts', { seconds: 5 }), {
    message: 'Too many attempts; retry in 5 seconds',
    reason: 'too-many-attempts',
    parameters: { seconds: 5 },
  })
  assert.deepEqual(because('suggestion-applied'), {
    message: 'The suggestion is applied already',
    reason: 'suggestion-applied',
  })
  const numbers: [number, string][] = [
    [0, 'must have at most 0 items, but has 7'],
    [1, 'must have at most 1 item, but has 7'],
    [2, 'must have at most 2 items, but has 7'],
  ]
  for (const [limit, message] of numbers)
    assert.equal(because('too-many-items', { limit, size: 7 }).message, message)
  // What stands for a value in a text can be in a value too.
  assert.equal(because('name-taken').message, REASONS['name-taken'])
  assert.equal(
    because('path-taken', { kind: '{path}', path: '$& #' }).message,
    'Another {path} has the path "$& #"; choose another one',
  )
  assert.deepEqual(errorBody(400, invalidField('body.title', because('too-long', { limit: 1, size: 2 }))), {
    error: {
      code: 400,
      message: 'body.title must have at most 1 character, but has 2',
      reason: 'invalid-values',
      details: [
        {
          path: 'body.title',
          message: 'must have at most 1 character, but has 2',
          reason: 'too-long',
          parameters: { limit: 1, size: 2 },
        },
      ],
    },
  })
})

test('a wrong reason or parameter does not compile', () => {
  // @ts-expect-error: there is no such reason
  assert.throws(() => because('suggestion-applied-twice'))
  // @ts-expect-error: the parameter is missing
  because('too-many-attempts')
  // @ts-expect-error: the parameter has another name
  because('too-many-attempts', { minutes: 5 })
  // @ts-expect-error: the number of a plural is no text
  because('conflicts-open', { count: '2' })
  // @ts-expect-error: there are no parameters
  because('suggestion-applied', { id: 'x' })
})

test('a problem of an import has a reason, which has a text in every language', () => {
  // @ts-expect-error: the reason is missing
  const problem: Problem = { path: 'a.md', message: 'is empty' }
  assert.equal(problem.message, 'is empty')
  for (const language of languagesOfCatalogues().filter((one) => one !== 'en')) {
    const texts = readMessages(language)
    const isMissing = (reason: string) => !Object.hasOwn(texts, `refusal.${reason}`)
    assert.deepEqual(Object.keys(PROBLEM_REASONS).filter(isMissing), [], language)
  }
})

/** What takes the message of an error as its first argument, and what takes it after a place. */
const FIRST =
  'invalid|signInRequired|forbidden|missing|conflict|preconditionFailed|tooLarge|tooMany|unavailable|insufficientStorage'
const LATER = 'invalidField|faultAt|ApiError|refuseBatch|ShapeFault|expect'

test('no message of the server is without a reason', () => {
  const argument = String.raw`(?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*?`
  const pattern = new RegExp(
    String.raw`(?<![.\w])(?:(?:${FIRST})\(\s*|(?:${LATER})\(\s*${argument},\s*)(?:\w+ \? )?['\`][^'\`\n]* [^\n]*`,
    'g',
  )
  const found = sources.flatMap((source) =>
    [...source.matchAll(pattern)].map(([call]) => call.replaceAll(/\s+/g, ' ')),
  )
  assert.deepEqual(found, [])
})
