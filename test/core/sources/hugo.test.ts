/** Projects of Hugo: their sections, front matter and shortcodes. */
import assert from 'node:assert/strict'
import { because } from '../../../src/core/languages/reasons.ts'
import { describe, test } from 'node:test'
import { convertHugo } from '../../../src/core/sources/projects/hugo/hugo.ts'
import { assertLinear, familiesOf, repeated } from '../cost/growth.ts'
import { bytesIn, textsOf } from './sources.ts'

/** A page as it is converted, in a project with other files. */
function page(text: string, files: Record<string, string> = {}) {
  const converted = convertHugo(
    bytesIn({ 'hugo.toml': '', 'content/docs/a.md': `---\ntitle: A\n---\n${text}`, ...files }),
  )
  const whole = textsOf(converted)['content/docs/a.md'] ?? ''
  return { text: whole.replace(/^---\ntitle: A\n---\n\n/, ''), problems: converted.problems }
}

test('sections, weights, bundles and titles of links make the tree', () => {
  const converted = convertHugo(
    bytesIn({
      'site/hugo.toml': 'title = "Boats"\ntheme = "x"\n',
      'site/content/_index.md': '+++\ntitle = "Home"\n+++\nHello\n',
      'site/content/docs/_index.md': '+++\ntitle = "Documentation"\nlinkTitle = "Docs"\nweight = 5\n+++\n',
      'site/content/docs/b.md':
        '---\ntitle: Second\nweight: 20\n---\n[A](../a/) [pump](/docs/pump/#x) ![l](/l.png)\n',
      'site/content/docs/a.md':
        '{\n  "title": "First",\n  "weight": 10,\n  "aliases": ["/old/a/", "older"]\n}\nText\n',
      'site/content/docs/pump/index.md': '---\ntitle: Pump\n---\n![p](p.png)\n',
      'site/content/docs/pump/note.md': 'A resource',
      'site/content/docs/pump/p.png': 'png',
      'site/content/docs/draft.md': '---\ntitle: Draft\ndraft: true\n---\n',
      'site/content/blog/post.md': '---\ntitle: Post\nslug: my-post\n---\n',
      'site/content/blog/other.md': '---\ntitle: Other\nurl: /elsewhere/\n---\n[Post](/blog/my-post/)\n',
      'site/static/l.png': 'png',
      'README.md': '# Repository',
    }),
  )
  const texts = textsOf(converted)
  assert.equal(
    texts['site/content/SUMMARY.md'],
    `# Table of contents

* [Home](<_index.md>)
* [Documentation](<docs/_index.md> "Docs")
  * [First](<docs/a.md>)
  * [Second](<docs/b.md>)
  * [Pump](<docs/pump/index.md>)
* Blog
  * [Other](<blog/other.md>)
  * [Post](<blog/post.md>)
`,
  )
  assert.equal(texts['site/content/_index.md'], '---\ntitle: Home\n---\n\nHello\n')
  assert.match(
    texts['site/content/docs/b.md'] ?? '',
    /\[A\]\(a\.md\) \[pump\]\(pump\/index\.md#x\) !\[l\]\(\.\.\/\.\.\/static\/l\.png\)\n$/,
  )
  assert.match(texts['site/content/blog/other.md'] ?? '', /\[Post\]\(post\.md\)/)
  const settings = texts['.gitbook.yaml'] ?? ''
  for (const line of [
    'root: ./site/content/',
    '"docs/pump": "docs/pump/index.md"',
    '"blog/my-post": "blog/post.md"',
    '"elsewhere": "blog/other.md"',
    '"old/a": "docs/a.md"',
    '"docs/older": "docs/a.md"',
  ])
    assert.ok(settings.includes(line), `${line} in ${settings}`)
  assert.deepEqual(converted.problems, [
    { path: 'site/content/docs/pump/note.md', ...because('page-is-resource') },
    { path: 'site/content/docs/draft.md', ...because('page-is-draft') },
  ])
})

test('only the pages of the default language are imported', () => {
  for (const [root, files] of [
    ['content', { 'content/a.md': '# A', 'content/a.fr.md': '# B' }],
    ['content/en', { 'content/en/a.md': '# A', 'content/fr/a.md': '# B' }],
  ] as const) {
    const converted = convertHugo(
      bytesIn({ 'config/_default/hugo.yaml': 'languages:\n  en: {}\n  fr: {}\n', ...files }),
    )
    assert.deepEqual(
      [...converted.files.keys()].filter((path) => /\/[ab].*\.md$/.test(path)),
      [`${root}/a.md`],
    )
  }
})

describe('shortcodes become', () => {
  const shortcodes: [written: string, shown: string][] = [
    [
      '{{% alert title="Wait" color="warning" %}}\nText\n{{% /alert %}}',
      '{% hint style="warning" %}\n**Wait**\n\nText\n{% endhint %}',
    ],
    ['{{< callout type="error" >}}Text{{< /callout >}}', '{% hint style="danger" %}\nText\n{% endhint %}'],
    ['{{< hint info >}}\nText\n{{< /hint >}}', '{% hint style="info" %}\nText\n{% endhint %}'],
    ['{{% tip %}}Text{{% /tip %}}', '{% hint style="success" %}\nText\n{% endhint %}'],
    [
      '{{% pageinfo color="primary" %}}\nText\n{{% /pageinfo %}}',
      '{% hint style="info" %}\nText\n{% endhint %}',
    ],
    [
      '[B]({{< ref "b.md#x" >}}) [B]({{< relref path="/docs/b" >}}) [C]({{% ref "c" %}})',
      '[B](b.md#x) [B](b.md) [C](../deep/c.md)',
    ],
    [
      '{{< figure src="/p.png" alt="Pump" caption="A pump" width="5" >}}',
      '![Pump](../../static/p.png "A pump")',
    ],
    ['{{< youtube abc_1 >}}', '{% embed url="https://www.youtube.com/watch?v=abc_1" %}'],
    ['{{< vimeo id="5" >}}', '{% embed url="https://vimeo.com/5" %}'],
    ['{{< gist ada 12 >}}', '{% embed url="https://gist.github.com/ada/12" %}'],
    [
      '{{< highlight go "linenos=table" >}}\nvar a = "{{< x >}}"\n{{< /highlight >}}',
      '```go\nvar a = "{{< x >}}"\n```',
    ],
    [
      '{{< details "More" >}}\nText\n{{< /details >}}',
      '<details>\n\n<summary>More</summary>\n\nText\n\n</details>',
    ],
    [
      '{{< tabpane lang="bash" >}}\n{{< tab header="Linux" >}}\napt\n{{< /tab >}}\n{{% tab header="Mac" text=true %}}\n**brew**\n{{% /tab %}}\n{{< /tabpane >}}',
      '{% tabs %}\n{% tab title="Linux" %}\n```bash\napt\n```\n{% endtab %}\n{% tab title="Mac" %}\n**brew**\n{% endtab %}\n{% endtabs %}',
    ],
    [
      '{{< tabs items="One,Two" >}}\n  {{< tab >}}1{{< /tab >}}\n  {{< tab >}}2{{< /tab >}}\n{{< /tabs >}}',
      '{% tabs %}\n  {% tab title="One" %}\n  1\n  {% endtab %}\n  {% tab title="Two" %}\n  2\n  {% endtab %}\n{% endtabs %}',
    ],
    [
      '{{< cards >}}\n{{< card link="/docs/b/" title="B" subtitle="More" >}}\n{{< /cards >}}',
      '* [B](b.md): More',
    ],
    ['{{% cardpane %}}\n{{% card header="H" %}}\nText\n{{% /card %}}\n{{% /cardpane %}}', '**H**\n\nText\n'],
    [
      '{{% steps %}}\n### One\n\nText\n\n### Two\n{{% /steps %}}',
      '{% stepper %}\n{% step %}\n### One\n\nText\n\n{% endstep %}\n{% step %}\n### Two\n{% endstep %}\n{% endstepper %}',
    ],
    ['{{< imgproc pic Fill "6x6" >}}The pump{{< /imgproc >}}', '![The pump](picture.png "The pump")'],
    ['{{< button href="/docs/b/" >}}Go{{< /button >}}', '[Go](b.md)'],
    ['`{{</* figure */>}}` and {{%/* note */%}}', '`{{< figure >}}` and {\\{% note %}}'],
    [
      '```\n{{</* figure src="a" */>}}\n{{< figure >}}\n```',
      '```\n{{< figure src="a" >}}\n{{< figure >}}\n```',
    ],
    [
      '1. One\n\n   {{< alert >}}\n   Text\n   {{< /alert >}}\n2. Two',
      '1. One\n\n   {% hint style="info" %}\n   Text\n   {% endhint %}\n2. Two',
    ],
    ['## Title {#id .x}', '## Title <a href="#id" id="id"></a>'],
    ['> [!NOTE]\n> Text', '> [!NOTE]\n> Text'],
  ]
  const files = {
    'content/docs/b.md': '# B',
    'content/deep/c.md': '# C',
    'static/p.png': 'png',
    'content/docs/picture.png': 'png',
  }
  for (const [written, shown] of shortcodes)
    test(written.replace(/[^\w="]+/g, ' ').trim(), () => {
      const { text, problems } = page(`${written}\n`, files)
      assert.equal(text.trim(), shown.trim())
      assert.deepEqual(problems, [])
    })
})

test('unknown shortcodes keep their content, and are problems with their line and number', () => {
  const { text, problems } = page('One {{< x a="1" >}}**two**{{< /x >}}\n\n{{% y %}}\n{{< x >}}three\n')
  assert.equal(text, 'One **two**\n\n\nthree\n')
  assert.deepEqual(problems, [
    {
      path: 'content/docs/a.md',
      line: 4,
      message: 'has the shortcode "x", 2 times, which is not understood and left out',
      reason: 'parts-left-out',
      parameters: { fault: 'the shortcode "x"', faultReason: 'unknown-shortcode', name: 'x', count: 2 },
    },
    {
      path: 'content/docs/a.md',
      line: 6,
      message: 'has the shortcode "y", which is not understood and left out',
      reason: 'part-left-out',
      parameters: { fault: 'the shortcode "y"', faultReason: 'unknown-shortcode', name: 'y' },
    },
  ])
})

for (const [name, make] of familiesOf(
  {
    'open tags': repeated('{{< a '),
    'open quotes': repeated('{{< a "'),
    'beginnings without ends': repeated('{{< alert >}}'),
    'ends without beginnings': repeated('{{< /alert >}}'),
    pairs: repeated('{{< alert >}}x{{< /alert >}}'),
    'highlights in one another': (size) =>
      '{{< highlight go >}}'.repeat(size / 40) + '{{< /highlight >}}'.repeat(size / 40),
    'tabs in one another': (size) => '{{< tab >}}'.repeat(size / 20) + '{{< /tab >}}'.repeat(size / 20),
    'steps in a line': repeated('{{< steps >}}a{{< /steps >}} '),
    comments: repeated('{{</* a */>}}'),
    'open comments': repeated('{{</* a'),
    'comments in code': repeated('`{{%/* a */%}}'),
    arguments: repeated('a="b" ', '{{< x ', '>}}'),
    lines: repeated('a\n{{< x >}}\n'),
    references: repeated('{{< ref "b.md" >}}'),
    'slashes of references': repeated(`{{< ref "${'/'.repeat(900)}b" >}}\n`),
    'spaces in code': repeated(' ', '{{< highlight go >}}x', 'x{{< /highlight >}}'),
  },
  1,
))
  test(`pages with shortcodes are converted in linear time: ${name}`, () =>
    assertLinear(make, (text) => page(text)))
