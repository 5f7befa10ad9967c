/** Projects of DocFX: their tables of contents, references and redirects, and what their pages have beside Markdown. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertDocFx } from '../../../src/core/sources/projects/docfx/docfx.ts'
import { assertLinear, familiesOf, nested, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'

/** A page as it is converted, in a project with other files. */
function page(text: string, files: Record<string, string> = {}) {
  const converted = convertDocFx(
    bytesIn({
      'docfx.json': '{"build": {"markdownEngineProperties": {"alerts": {"TODO": "x"}}}}',
      'toc.yml': '- href: guide/a.md\n',
      'guide/a.md': `# A\n\n${text}`,
      ...files,
    }),
  )
  const whole = textsOf(converted)['guide/a.md'] ?? ''
  return { text: whole.replace(/^# A\n\n/, ''), problems: converted.problems }
}

const PROJECT = {
  'README.md': '# The repository\n',
  'docs/docfx.json': `{
  // What is built
  "build": {
    "content": [
      { "files": ["**/*.{md,yml}"], "exclude": ["_site/**", "includes/**"] },
      { "src": "../more", "files": ["*.md"], "dest": "extra" },
    ],
    "globalMetadata": { "_appTitle": "Boats" },
  },
}`,
  'docs/index.md':
    '\ufeff---\ntitle: All about boats\n---\n\n# Boats\n\n<xref:rules> [Rules](xref:rules#one) @rules @ada\n',
  'docs/toc.yml': `- name: Guide
  href: guide/
- name: Rules
  href: rules.md
- name: Extra
  href: ../more/toc.yml
  homepage: ../more/extra.md
- name: Shop
  href: https://shop.example
- name: Classes
  uid: Boats.Hull
`,
  'docs/guide/toc.yml': `items:
- name: Basics
- href: start.md
  items:
  - name: By sea
    href: ~/guide/deep/sea.md
- name: Advanced
- name: Sails
  href: sails.md
`,
  'docs/guide/start.md': '# Start\n\n[Sails](sails.md) [Rules](~/rules.md) ![p](~/images/p.png)\n\n## Next\n',
  'docs/guide/deep/sea.md': '---\nuid: sea\n---\n# The sea\n\n[Start](../start.md#next) <xref:Boats.Hull>\n',
  'docs/guide/sails.md': 'No heading\n',
  'docs/guide/old.md': '---\nredirect_url: start.md\n---\n# Old\n',
  'docs/guide/lost.md': '# Lost\n',
  'docs/rules.md': '---\nuid: rules\ntitle: The rules\n---\n\n# Rules\n\n## One {#one}\n',
  'docs/includes/part.md': 'Part\n',
  'docs/images/p.png': 'png',
  'more/toc.yml': '- href: extra.md\n- href: other.md\n',
  'more/extra.md': '# Extra\n',
  'more/other.md': '# Other\n',
  '.openpublishing.redirection.json':
    '{"redirections": [{"source_path": "docs/gone.md", "redirect_url": "/boats/guide/start"}]}',
}

test('tables of contents in folders, headings, other addresses and the front page make the tree', () => {
  const converted = convertDocFx(bytesIn(PROJECT))
  const texts = textsOf(converted)
  assert.equal(converted.title, 'Boats')
  assert.equal(
    texts['SUMMARY.md'],
    `# Table of contents

* [All about boats](<docs/index.md>)

## Guide

* Basics
  * [Start](<docs/guide/start.md>)
    * [By sea](<docs/guide/deep/sea.md>)
* Advanced
  * [Sails](<docs/guide/sails.md>)

---

* [Rules](<docs/rules.md>)
* [Extra](<more/extra.md>)
  * [Extra](<more/extra.md>)
  * [Other](<more/other.md>)
* [Shop](<https://shop.example>)
* [Lost](<docs/guide/lost.md>)
`,
  )
  assert.equal(texts['docs/guide/sails.md'], '# Sails\n\nNo heading\n')
  assert.equal(texts['docs/guide/lost.md'], '---\nhidden: true\n---\n\n# Lost\n')
  assert.match(
    texts['docs/index.md'] ?? '',
    /# Boats\n\n\[The rules\]\(<rules.md>\) \[Rules\]\(rules.md#one\) \[The rules\]\(<rules.md>\) @ada\n$/,
  )
  assert.match(
    texts['docs/guide/start.md'] ?? '',
    /\[Sails\]\(sails.md\) \[Rules\]\(\.\.\/rules.md\) !\[p\]\(\.\.\/images\/p.png\)/,
  )
  for (const line of [
    '"index.html": "docs/index.md"',
    '"guide/deep/sea.html": "docs/guide/deep/sea.md"',
    '"extra/other.html": "more/other.md"',
    '"guide/old.html": "docs/guide/start.md"',
    '"gone.html": "docs/guide/start.md"',
    '"gone": "docs/guide/start.md"',
  ])
    assert.ok(texts['.gitbook.yaml']?.includes(line), `${line} in ${texts['.gitbook.yaml']}`)
  assert.ok(!('docs/guide/old.md' in texts) && !('docs/includes/part.md' in texts))
  assert.deepEqual(
    converted.problems.map(({ kind, path, line, message }) => [kind, path, line, message]),
    [
      [
        'missing-page',
        'docs/toc.yml',
        undefined,
        'lists "Boats.Hull", which is no page of the archive; the entry is left out',
      ],
      [
        undefined,
        'docs/guide/deep/sea.md',
        6,
        'has the reference to "Boats.Hull", which is not understood and left out',
      ],
    ],
  )
})

test('headings of toc.md are the tree, and without any table of contents, folders are', () => {
  const files = { 'docfx.json': '{}', 'a.md': '# A\n', 'b/c.md': '# C\n' }
  const toc = convertDocFx(bytesIn({ ...files, 'toc.md': '# [First](a.md)\n## [Third](b/c.md)\n# Other\n' }))
  assert.equal(
    textsOf(toc)['SUMMARY.md'],
    '# Table of contents\n\n* [First](<a.md>)\n  * [Third](<b/c.md>)\n',
  )
  assert.equal(textsOf(convertDocFx(bytesIn(files)))['SUMMARY.md'], undefined)
})

test('if the settings name no Markdown, all of the archive is imported', () => {
  const settings = '{"build": {"content": [{"files": ["api/*.yml"]}]}}'
  const converted = convertDocFx(bytesIn({ 'docs/docfx.json': settings, 'README.md': '# Boats\n' }))
  assert.equal(textsOf(converted)['README.md'], '# Boats\n')
})

test('tables of contents that refer to each other are read once', () => {
  const converted = convertDocFx(
    bytesIn({
      'toc.yml': '- href: b/\n- href: a.md\n',
      'b/toc.yml': '- href: ../toc.yml\n- href: c.md\n',
      'a.md': '# A',
      'b/c.md': '# C',
    }),
  )
  assert.equal(
    textsOf(converted)['SUMMARY.md'],
    '# Table of contents\n\n\n## B\n\n* [C](<b/c.md>)\n\n---\n\n* [A](<a.md>)\n',
  )
})

const LISTING = `using System;
#region Main
class A
{
    // <inner>
    void Go() { }
    // </inner>
}
#endregion
`

describe('a page has', () => {
  const pages: [what: string, written: string, shown: string][] = [
    [
      'tabs',
      '# [Linux](#tab/linux)\n\napt\n\n# [Mac *OS*](#tab/mac/zsh)\n\n```sh\n# [x](#tab/x)\n```\n\n***\n\nAfter\n',
      '{% tabs %}\n{% tab title="Linux" %}\n\napt\n\n{% endtab %}\n{% tab title="Mac OS (zsh)" %}\n\n```sh\n# [x](#tab/x)\n```\n\n{% endtab %}\n{% endtabs %}\n\nAfter\n',
    ],
    [
      'tabs that do not end',
      '## [A](#tab/a)\none\n',
      '{% tabs %}\n{% tab title="A" %}\none\n\n{% endtab %}\n{% endtabs %}\n',
    ],
    ['alerts of every page', '> [!NOTE]\n> Text\n', '> [!NOTE]\n> Text\n'],
    [
      'alerts of the settings',
      '> [!TODO]\n> Text\n>\n> - item\nAfter\n',
      '{% hint style="info" %}\nText\n\n- item\n{% endhint %}\nAfter\n',
    ],
    ['quotes', '> A quote\n> of two lines\n', '> A quote\n> of two lines\n'],
    [
      'lists of steps done',
      '> [!div class="checklist"]\n> * One\n> * Two\n\nAfter\n',
      '* One\n* Two\n\n\nAfter\n',
    ],
    ['next steps', '> [!div class="nextstepaction"]\n> [Next](b.md)\n', '[Next](b.md)\n'],
    ['videos', '> [!Video https://v.example/1]\n', '{% embed url="https://v.example/1" %}\n'],
    ['included pages', '[!INCLUDE [Part](~/includes/p.md)]\n', '{% include "../includes/p.md" %}\n'],
    [
      'included text',
      'Use [!INCLUDE[p](../includes/p.md)] here, not `[!INCLUDE[p](p.md)]`.\n',
      'Use the [part](../includes/q.md) of two lines here, not `[!INCLUDE[p](p.md)]`.\n',
    ],
    [
      'code of a region',
      '[!code-csharp[Main](a.cs#Main)]\n',
      '```csharp\nclass A\n{\n    void Go() { }\n}\n```\n',
    ],
    [
      'code of a tag',
      '- Item\n\n  [!code-csharp[](a.cs?name=inner&highlight=1)]\n',
      '- Item\n\n  ```csharp\n  void Go() { }\n  ```\n',
    ],
    [
      'code of lines',
      '[!code[A class](a.cs#L1-L2)]\n',
      '{% code title="A class" %}\n```cs\nusing System;\n#region Main\n```\n{% endcode %}\n',
    ],
    [
      'code in blocks',
      ':::code language="csharp-interactive" source="~/guide/a.cs" range="1,3-4" highlight="2":::\n',
      '```csharp\nusing System;\nclass A\n{\n```\n',
    ],
    [
      'pictures',
      ':::image type="content" source="../p 1.png" alt-text="A [boat]" lightbox="x.png":::\n',
      '![A \\[boat\\]](<../p%201.png>)\n',
    ],
    [
      'pictures with a long description',
      ':::image type="complex" source="../p.png" alt-text="Parts":::\n   All parts.\n:::image-end:::\nAfter\n',
      '![Parts](../p.png)\n\n<details>\n\n<summary>Parts</summary>\n\n   All parts.\n\n</details>\nAfter\n',
    ],
    [
      'columns',
      ':::row:::\n   :::column span="2":::\n   One\n   :::column-end:::\n   :::column:::\n   Two\n   :::column-end:::\n:::row-end:::\n',
      '{% columns %}\n   {% column %}\n   One\n   {% endcolumn %}\n   {% column %}\n   Two\n   {% endcolumn %}\n{% endcolumns %}\n',
    ],
    ['words that are not translated', 'The :::no-loc text="Try":::.\n', 'The Try.\n'],
    ['formulas', 'Costs $x^2$ and `$x$`.\n', 'Costs $$x^2$$ and `$x$`.\n'],
    [
      'code as it is written',
      '```md\n:::row:::\n> [!div class="x"]\n@rules <xref:rules>\n```\n',
      '```md\n:::row:::\n> [!div class="x"]\n@rules <xref:rules>\n```\n',
    ],
  ]
  for (const [what, written, shown] of pages)
    test(what, () => {
      const files = {
        'docfx.json':
          '{"build": {"content": {"files": ["guide/*.md"]}, "markdownEngineProperties": {"alerts": {"TODO": "x"}}}}',
        'guide/a.cs': LISTING,
        'guide/b.md': '# B\n',
        'p.png': 'png',
        'p 1.png': 'png',
        'includes/p.md': '---\nx: y\n---\nthe [part](q.md)\nof two lines\n',
        'includes/q.md': '# Q\n',
      }
      assert.deepEqual(page(written, files), { text: shown, problems: [] })
    })

  test('what is not understood, which is a problem with its line and number, and keeps its text', () => {
    const { text, problems } = page(
      ':::zone pivot="a"\nText\n:::zone-end\n\n:::odd x="y":::\n**More**\n\n```js\ncode\n```\n:::odd-end:::\n\n> [!SHOUT]\n> Loud\n\n[!code-js[](gone.js)] \n\n[!code-js[](gone.js)]\n\n:::row-end:::\n',
    )
    assert.equal(
      text,
      'Text\n\n**More**\n\n```js\ncode\n```\n\n{% hint style="info" %}\n**SHOUT**\n\nLoud\n{% endhint %}\n\n`gone.js`\n\n`gone.js`\n',
    )
    assert.deepEqual(
      problems.map(({ path, line, message }) => [path, line, message]),
      [
        ['guide/a.md', 3, 'has :::zone pivot="a":::, which is not understood and left out'],
        ['guide/a.md', 7, 'has the block ":::odd", which is not understood and left out'],
        ['guide/a.md', 15, 'has the alert "SHOUT", which is not understood and left out'],
        ['guide/a.md', 18, 'has the code of "gone.js", 2 times, which is not understood and left out'],
      ],
    )
  })
})

for (const [name, make] of familiesOf(
  {
    tabs: repeated('# [a](#tab/a)\n'),
    'tabs without an end': repeated('# [a](#tab/'),
    'quotes with kinds': repeated('> [!div class="a"]\n> b\n'),
    'kinds without an end': repeated('> [!div '),
    blocks: nested(':::row:::\n', ':::row-end:::\n'),
    'blocks that end again': repeated(':::row-end:::\n', ':::row:::\n'.repeat(20)),
    'open blocks': repeated(':::zone a="b"\n'),
    attributes: repeated('a="b" ', ':::image ', ':::\n'),
    colons: repeated(':', ':::a '),
    code: repeated('[!code[](a.cs#b)]\n'),
    'open code': repeated('[!code['),
    includes: repeated('[!include[a](p.md)] '),
    'open includes': repeated('[!include[a'),
    references: repeated('<xref:a> '),
    'open references': repeated('<xref:a'),
    'at signs': repeated('@a'),
    'quoted at signs': repeated('@"'),
    spaces: repeated(' ', '> [!a]', 'x'),
  },
  1,
))
  test(`pages are converted in linear time: ${name}`, () =>
    assertLinear(make, (text) => page(text, { 'guide/a.cs': LISTING, 'guide/p.md': 'p' })))

for (const [name, make] of familiesOf(
  {
    entries: repeated('- href: a.md\n'),
    headings: repeated('- name: a\n'),
    folders: repeated('- href: b/\n'),
    levels: (size) =>
      Array.from({ length: Math.sqrt(size) }, (_, at) => `${'  '.repeat(at)}- items:`).join('\n'),
  },
  1,
))
  test(`a table of contents is read in linear time: ${name}`, () =>
    assertLinear(make, (text) =>
      page('', { 'toc.yml': text, 'a.md': '# A', 'b/toc.yml': '- href: ../a.md' }),
    ))

test('the text of a file that a line includes costs linear time', () =>
  assertLinear(repeated(' ', 'x', 'x'), (text) => page('See [!include[a](p.md)].\n', { 'guide/p.md': text })))

test('code of a part and the patterns of the settings cost linear time', () => {
  assertLinear(repeated('# region a\n// <b>\n'), (text) =>
    page('[!code[](a.cs#b)]\n', { 'guide/a.cs': text }),
  )
  assertLinear(repeated('a'), (text) => {
    const pattern = `${'*a'.repeat(400)}b`
    const settings = `{"build": {"content": [{"files": ["**/${pattern}", "guide/a.md"]}]}}`
    page('', { 'docfx.json': settings, [`${text}.md`]: '' })
  })
})
