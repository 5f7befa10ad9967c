/** Projects of Jekyll: the tree of just-the-docs, kramdown and Liquid. */
import assert from 'node:assert/strict'
import { because } from '../../../src/core/languages/reasons.ts'
import { describe, test } from 'node:test'
import { convertJekyll } from '../../../src/core/sources/projects/jekyll.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'

const SETTINGS = 'title: Boats\nbaseurl: /docs\ncallouts:\n  idea:\n    title: An idea\n'

/** A page as it is converted, in a project with other files. */
function page(text: string, files: Record<string, string> = {}) {
  const converted = convertJekyll(
    bytesIn({ '_config.yml': SETTINGS, 'a.md': `---\ntitle: A\n---\n${text}`, ...files }),
  )
  const whole = textsOf(converted)['a.md'] ?? ''
  return { text: whole.replace(/^---\ntitle: A\n---\n\n/, ''), problems: converted.problems }
}

test('parents and orders are the tree, and posts and files without front matter are left out', () => {
  const converted = convertJekyll(
    bytesIn({
      'site/_config.yml': 'title: Boats\nexclude: [vendor/]\ncollections:\n  docs:\n    output: true\n',
      'site/index.md': '---\ntitle: Boats\nnav_order: 1\n---\n[Rules](/rules/) [Deep](deep.html#x)\n',
      'site/rules.md': '---\ntitle: Rules\nparent: Guide\nnav_order: 2\npermalink: /rules/\n---\n',
      'site/first.md': '---\ntitle: First\nparent: Guide\nnav_order: 1\n---\n',
      'site/guide.md': '---\ntitle: Guide\nnav_order: 2\nhas_children: true\n---\n',
      'site/deep.md': '---\ntitle: Deep\nparent: Rules\ngrand_parent: Guide\n---\n',
      'site/alone.md': '---\ntitle: Alone\nnav_exclude: true\n---\n',
      'site/loop.md': '---\ntitle: Loop\nparent: Loop\nnav_order: 3\n---\n',
      'site/_docs/more.md': '---\ntitle: More\nparent: Guide\n---\n',
      'site/_posts/2020-01-01-a.md': '---\ntitle: Post\n---\n',
      'site/_includes/a.md': 'Part',
      'site/vendor/a.md': '---\ntitle: Vendor\n---\n',
      'site/README.md': '# The repository\n',
      LICENSE: '',
    }),
  )
  const texts = textsOf(converted)
  assert.equal(
    texts['site/SUMMARY.md'],
    `# Table of contents

* [Boats](<index.md>)
* [Guide](<guide.md>)
  * [First](<first.md>)
  * [Rules](<rules.md>)
    * [Deep](<deep.md>)
  * [More](<_docs/more.md>)
* [Loop](<loop.md>)
* [Alone](<alone.md>)
`,
  )
  assert.match(texts['site/index.md'] ?? '', /\[Rules\]\(rules\.md\) \[Deep\]\(deep\.md#x\)/)
  assert.match(texts['.gitbook.yaml'] ?? '', /"rules": "rules\.md"/)
  assert.deepEqual(converted.problems, [
    { path: 'site/_posts/2020-01-01-a.md', ...because('page-is-post-or-draft') },
    { path: 'site/README.md', ...because('page-without-front-matter') },
  ])
})

describe('kramdown and Liquid:', () => {
  const cases: [name: string, written: string, shown: string][] = [
    ['a label disappears', 'New\n{: .label .label-green }', 'New'],
    [
      'attributes before a paragraph',
      '{: .warning }\nNever sail\nalone.\n\nMore',
      '{% hint style="warning" %}\nNever sail\nalone.\n{% endhint %}\n\nMore',
    ],
    [
      'attributes after a paragraph',
      'Never sail.\n{: .note }\n\nMore',
      '{% hint style="info" %}\nNever sail.\n{% endhint %}\n\nMore',
    ],
    [
      'a quote',
      '{: .note }\n> Two\n>\n> paragraphs.',
      '{% hint style="info" %}\nTwo\n\nparagraphs.\n{% endhint %}',
    ],
    [
      'a quote with a title',
      '{: .tip-title }\n> Wait\n>\n> Here.',
      '{% hint style="success" %}\n**Wait**\n\nHere.\n{% endhint %}',
    ],
    [
      'a callout of the settings',
      '{: .idea }\nText',
      '{% hint style="info" %}\n**An idea**\n\nText\n{% endhint %}',
    ],
    [
      'ids of headings',
      '## Rule one\n{: .no_toc #first }\n\nText',
      '## Rule one <a href="#first" id="first"></a>\n\nText',
    ],
    ['a heading without an id', '## Rule\n{: .no_toc }\nText', '## Rule\nText'],
    ['a table of contents', 'Text\n\n1. TOC\n{:toc}\n\nMore', 'Text\n\n\nMore'],
    [
      'attributes in a line',
      '[A](x){: .btn } and ![p](/p.png){: width="5" }, `x{: .y}`',
      '[A](x) and ![p](p.png), `x{: .y}`',
    ],
    ['attributes of code', '{: .x }\n```\na\n\nb\n```', '```\na\n\nb\n```'],
    ['code', '```\n{: .warning }\n```', '```\n{: .warning }\n```'],
    [
      'links',
      '[B]({% link b.md %}) [B]({{ site.baseurl }}{% link b.md %}#x) [B]({{ "/b" | relative_url }})',
      '[B](b.md) [B](b.md#x) [B](b.md)',
    ],
    ['values', '{{ site.title }}: {{ page.title }}', 'Boats: A'],
    ['code of Liquid', '{% highlight ruby linenos %}\nputs 1\n{% endhighlight %}', '```ruby\nputs 1\n```'],
    ['raw text', '{% raw %}{% if x %} `{% y %}` {{ z }}{% endraw %}', '\\{% if x %} `{% y %}` {{ z }}'],
    ['raw text around code', '{% raw %}\n```\n{% if x %}\n```\n{% endraw %}', '```\n{% if x %}\n```'],
    ['included files', '{% include part.html %} {% include_relative more.md %}', 'The part of Boats More'],
    ['comments', 'One{% comment %} {% if x %} {% endcomment %} two', 'One two'],
    ['alerts stay', '> [!NOTE]\n> Text', '> [!NOTE]\n> Text'],
  ]
  const files = {
    'b.md': '---\ntitle: B\n---\n',
    'p.png': 'png',
    '_includes/part.html': 'The part of {{ site.title }}\n',
    'more.md': '---\nx: 1\n---\nMore',
  }
  for (const [name, written, shown] of cases)
    test(name, () => {
      const { text, problems } = page(`${written}\n`, files)
      assert.equal(text.trim(), shown)
      assert.deepEqual(problems, [])
    })
})

test('what is not understood is left out, and is a problem with its line and number', () => {
  const { text, problems } = page(
    'One\n{% assign x = 1 %}\n{% for a in b %}\n{{ a }}\n{% endfor %}\n{% if x %}Two{% endif %}{{ x }}{% include none.html %}{{ x }}\n\n{::options a="b" /}\n',
  )
  assert.equal(text, 'One\n\n\nTwo\n')
  assert.deepEqual(
    problems.map(({ path, line, message }) => [path, line, message.replace(/, which.*/, '')]),
    [
      ['a.md', 5, 'has the tag "assign"'],
      ['a.md', 6, 'has the tag "for"'],
      ['a.md', 9, 'has the tag "if"'],
      ['a.md', 9, 'has the value "x", 2 times'],
      ['a.md', 9, 'has the tag "include"'],
      ['a.md', 9, 'has the extension "options"'],
    ],
  )
})

test('files that include themselves do not make a page endlessly long', () => {
  const { text } = page('{% include a.html %}', {
    '_includes/a.html': `x${'{% include a.html %}'.repeat(50)}`,
  })
  assert.ok(text.length < 2_000_000)
})

for (const [name, make] of familiesOf(
  {
    'open tags': repeated('{% a '),
    'open values': repeated('{{ a '),
    tags: repeated('{% a %}'),
    'unknown values': repeated('{{ a }}\n'),
    'raw text': repeated('{% raw %}{% a %}{% endraw %}'),
    loops: repeated('{% for a in b %}'),
    attributes: repeated('{: .note }\n'),
    'paragraphs with attributes': repeated('{: .note }\na\n\n'),
    'headings with attributes': repeated('## a\n{: #b }\n'),
    'attributes in a line': repeated('a{: .b }'),
    'open attributes': repeated('a{: .b '),
    includes: repeated('{% include a.html %}'),
  },
  1,
))
  test(`pages with Liquid and attributes are converted in linear time: ${name}`, () =>
    assertLinear(make, (text) => page(text, { '_includes/a.html': 'x' })))

test('the base of addresses is read in linear time', () =>
  assertLinear(repeated('/', '/a', 'b'), (text) => page('', { '_config.yml': `baseurl: ${text}\n` })))
