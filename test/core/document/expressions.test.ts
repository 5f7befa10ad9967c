/** Sites show the value of an inline expression, and those that cannot be shown are reported. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { readingProblems, unshownParts } from '../../../src/core/document/shown/unshown.ts'
import {
  CODE_PLACES,
  OPEN_PLACES,
  type Place,
  TITLED_PLACES,
  WHOLE_PLACES,
  DATA_PLACES,
  VALUE_PLACES,
} from '../condition-places.ts'
import { shownPage } from '../shown-page.ts'

const NAME = 'visitor.claims.name'
const EXPRESSION = `<code class="expression">${NAME}</code>`
const BUTTON = `<a href="https://x.y" class="button primary">${NAME}</a>`

/** Places with a text for everybody. */
const LITERAL: Record<string, Place> = {
  'a header': WHOLE_PLACES['a header']!,
  'a header of HTML': WHOLE_PLACES['a header of HTML']!,
  'a button': WHOLE_PLACES['a button']!,
  'the title of a page': (line) => `# ${line}\n\nText`,
  'the title of a tab': VALUE_PLACES['the title of a tab']!,
  'the title of code': VALUE_PLACES['the title of code']!,
  'an alternative text': DATA_PLACES['an alternative text']!,
  'an alternative text in a line': DATA_PLACES['an alternative text in a line']!,
}
const PLACES: Record<string, Place> = {
  ...OPEN_PLACES,
  'formatted code': CODE_PLACES['formatted code']!,
  ...TITLED_PLACES,
  ...WHOLE_PLACES,
  'an element without a block': (line) => `<center>${line}</center>`,
  'an element in an element': (line) => `<center><small>x <b>${line}</b></small></center>`,
  'a list of terms': (line) => `<dl><dt>x</dt><dd>${line}</dd></dl>`,
  'code alone in formatted code': (line) => `x\n\n<pre>${line.replace(/^a | b$/g, '')}</pre>`,
  'an element around a line': (line) => `x <small>${line}</small> y`,
}
for (const name of Object.keys(LITERAL)) delete PLACES[name]

const problems = (source: string) => readingProblems(parsePage(source), source)

for (const [name, place] of Object.entries(PLACES))
  test(`shows the value of an expression in ${name}`, () => {
    const page = place(`a ${EXPRESSION} b`)
    for (const [value, shown] of [
      ['VALUE', /VALUE/],
      ['1 < 2', /1 (?:<|&lt;|&#x3C;|\\<) 2/],
      [7, /\b7\b/],
    ] as const) {
      const seen = shownPage(page, (expression) => expression === NAME && value)
      assert.match(seen, shown, page)
      assert.doesNotMatch(seen, /visitor|undefined/, page)
    }
    const script = shownPage(page, () => '<script>x</script>\n\n# y')
    // In Markdown, code is in fences.
    if (name !== 'formatted code') assert.doesNotMatch(script, /(?<!\\)<script|^# y/m, page)
    for (const none of [undefined, null, {}])
      assert.doesNotMatch(
        shownPage(page, () => none),
        /visitor|undefined|object/,
        page,
      )
    assert.deepEqual(problems(page), [])
    assert.deepEqual(unshownParts(parsePage(page), page), [])
  })

test('reports an expression in a text for everybody, with its line', () => {
  for (const [name, place] of Object.entries(LITERAL)) {
    const page = `x\n\n${place(`a ${EXPRESSION} b`)}`.replace(/^x\n\n#/, '---\nicon: x\n---\n\n#')
    const line = page.slice(0, page.indexOf(EXPRESSION)).split('\n').length
    const [problem, ...others] = problems(page)
    assert.equal(others.length, 0, name)
    assert.equal(problem?.line, line, name)
    assert.match(problem.message, /"visitor\.claims\.name".* readers see/)
    assert.deepEqual(
      unshownParts(parsePage(page), page).map((one) => [one.kind, one.line]),
      [['block', line]],
    )
  }
  for (const page of [
    `# The \`${EXPRESSION}\` element\n\n${EXPRESSION}`,
    `\`\`\`\n# ${EXPRESSION}\n\`\`\`\n`,
    `| ${NAME} |\n| - |\n| ${EXPRESSION} |`,
    `<center>${EXPRESSION} ${BUTTON}</center>`,
    `${BUTTON} ${EXPRESSION}`,
    `${BUTTON} \`${EXPRESSION}\``,
    `{% hint style="info" %}\n${BUTTON}\n\n\`\`\`html\n${EXPRESSION}\n\`\`\`\n{% endhint %}`,
    `* ${BUTTON}\n\n      ${EXPRESSION}`,
    `| a | b |\n| - | - |\n| ${BUTTON} | \`${EXPRESSION}\` |`,
    `${BUTTON} <code class="my-expression">${NAME}</code>`,
    `${BUTTON} <code class="expression-x" title="class=expression">${NAME}</code>`,
  ])
    assert.deepEqual(problems(page), [], page)
})
