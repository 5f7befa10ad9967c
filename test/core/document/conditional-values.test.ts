/** A condition in a value, where nothing evaluates it, hides its words from everybody and is reported. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { planImport } from '../../../src/core/repository/plan.ts'
import { shownPage } from '../shown-page.ts'

/** Texts as they are between single or double quotes, without either. */
const TEXTS: [text: string, shown: string][] = [
  ['A {% if true %}SECRET{% endif %} B', 'A B'],
  ['A {% if true %}SECRET', 'A'],
  ['A {%- if true -%}SECRET{%- endif -%} B', 'A B'],
  ['A {% IF true %}SECRET{% endif %} B', 'A B'],
  ['A {% unless true %}SECRET{% endunless %} B', 'A B'],
  ['A {\uff05 if true \uff05}SECRET', 'A'],
  ['A {% if true SECRET', 'A'],
]

const tabs = (tab: string) => `{% tabs %}\n{% tab ${tab} %}\nx\n{% endtab %}\n{% endtabs %}`
const VALUES: Record<string, (text: string) => string> = {
  'the title of a tab': (text) => tabs(`title="${text}"`),
  'the title of a tab in single quotes': (text) => tabs(`title='${text}'`),
  'the icon of a tab': (text) => tabs(`title="t" icon="${text}"`),
  'the icon of a hint': (text) => `{% hint icon="${text}" %}\nx\n{% endhint %}`,
  'the title of code': (text) => `{% code title="${text}" %}\n\`\`\`\nx\n\`\`\`\n{% endcode %}`,
  'a prompt': (text) => `{% prompt description="${text}" %}\n\`\`\`\nx\n\`\`\`\n{% endprompt %}`,
  'the tags of an update': (text) =>
    `{% updates %}\n{% update date="2026-01-01" tags="${text}" %}\nx\n{% endupdate %}\n{% endupdates %}`,
  'an operation': (text) =>
    `{% swagger method="get" path="/x" baseUrl="y" summary="${text}" %}\n{% endswagger %}`,
  'a response of an operation': (text) =>
    `{% swagger method="get" path="/x" baseUrl="y" summary="x" %}\n{% swagger-response status="200" description="${text}" %}\nx\n{% endswagger-response %}\n{% endswagger %}`,
  'a block of an integration': (text) => `{% @mermaid/diagram content="${text}" %}`,
  'an address of an embed': (text) => `{% embed url="https://example.com/${text}" %}`,
}

for (const [place, put] of Object.entries(VALUES)) {
  test(`hides and reports a condition in ${place}`, () => {
    for (const [text] of TEXTS) {
      const source = `# T\n\nfirst\n\n${put(text)}\n\nlast\n`
      const shown = shownPage(source, () => true)
      assert.doesNotMatch(shown, /SECRET/, source)
      assert.match(shown, /first[^]*last/)
      const parts = hiddenParts(parsePage(source), source)
      assert.equal(parts.length, 1, source)
      assert.match(
        parts[0]!.message,
        /^a value of the tag "\{% .* … %\}" has a condition, .* hidden from everybody/,
      )
      assert.ok(source.split('\n')[parts[0]!.line - 1]!.includes('SECRET'))
    }
  })

  test(`text without a condition stays in ${place}`, () => {
    const source = `# T\n\n${put('A {% raw %}')}\n\n\`${put('A {% if true %}SECRET').replaceAll('\n', ' ').replaceAll('`', '')}\`\n`
    assert.match(JSON.stringify(parsePage(source).document), /A \{% raw %\}|A%20/)
    assert.deepEqual(hiddenParts(parsePage(source), source), [])
  })
}

test('hides and reports conditions in the front matter', () => {
  for (const [text, shown] of TEXTS) {
    const source = `---\ntitle: '${text}'\nicon: x\ndescription: "${text}"\ntags:\n  - '${text}'\nvars:\n  a: '${text}'\n---\n\nx\n`
    const page = parsePage(source)
    assert.equal(page.title, shown)
    assert.equal(page.meta.description, shown)
    assert.deepEqual(page.meta.tags, [{ tag: shown }])
    assert.deepEqual(page.meta.variables, { a: shown })
    assert.deepEqual(
      hiddenParts(page, source).map(({ line, message }) => `${line} ${message.split(' ')[0]}`),
      ['2 "title"', '4 "description"', '5 "tags"', '7 "vars"'],
    )
  }
})

test('a heading that has a tag in code keeps it', () => {
  const source = '# The `{% if true %}` tag {% if true %}SECRET{% endif %}\n\nx\n'
  assert.equal(parsePage(source).title, 'The {% if true %} tag')
})

test('hides and reports conditions in a table of contents and in the variables of a space', async () => {
  for (const [text, shown] of TEXTS) {
    const summary = `# T\n\n* [Home](README.md "${text}")\n* [${text}](https://example.com/)\n* ${text}\n* [The \`{% if true %}\` tag](https://example.com/)\n* [The \\{% if true %} tag](https://example.com/)\n\n## ${text}\n\n* [A](a.md)\n`
    const files = {
      'SUMMARY.md': summary,
      'README.md': '# Home\n',
      'a.md': '# A\n',
      '.gitbook/vars.yaml': `a: '${text}'`,
    }
    const bytes = new Map(Object.entries(files).map(([path, one]) => [path, Buffer.from(one)]))
    const plan = await planImport(bytes, (source) => ({
      title: parsePage(source).title ?? '',
      meta: {},
      references: [],
    }))
    assert.doesNotMatch(JSON.stringify({ ...plan, problems: [] }), /SECRET/)
    assert.deepEqual(
      plan.pages.map((page) => ('linkTitle' in page && page.linkTitle) || page.title),
      [shown, shown, shown, 'The {% if true %} tag', 'The {% if true %} tag', shown],
    )
    assert.deepEqual(plan.variables, { a: shown })
    assert.deepEqual(
      plan.problems.filter(({ path }) => path === 'SUMMARY.md').map(({ kind, line }) => [kind, line]),
      [3, 4, 5, 9].map((line) => ['condition', line]),
    )
    assert.equal(plan.problems.filter(({ path }) => path.endsWith('vars.yaml')).length, 1)
  }
})
