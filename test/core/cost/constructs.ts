/** Every construct of a page, repeated, nested, unclosed and inside every container. A new construct joins by being listed. */
import { nested, repeated, type Families } from './growth.ts'

/** What opens something, with what closes it. Each is tried repeated, nested, without an end, and without a beginning. */
const PAIRS: Record<string, [open: string, close: string]> = {
  emphasis: ['*a ', '*'],
  'strong emphasis': ['**a ', '**'],
  underscores: ['_a ', '_'],
  'struck text': ['~~a ', '~~'],
  'code spans': ['`a ', '`'],
  links: ['[a', '](b.md)'],
  images: ['![a', '](b.png "c")'],
  'reference links': ['[a', '][r]'],
  footnotes: ['[^a', ']'],
  autolinks: ['<http://a.org/', '>'],
  mathematics: ['$$a', '$$'],
  'inline conditions': ['{% if a.b %}', '{% endif %}'],
  'expressions in braces': ['{{ a', ' }}'],
  bold: ['<b>', '</b>'],
  'coloured marks': ['<mark style="color:red;background-color:rgb(1,2,3)">', '</mark>'],
  anchors: ['<a href="x.md" class="button primary">', '</a>'],
  buttons: ['<button type="button" data-action="ask">', '</button>'],
  spans: ['<span class="math">', '</span>'],
  comments: ['<!-- ', ' -->'],
  cdata: ['<![CDATA[', ']]>'],
  divs: ['<div>\n\n', '\n\n</div>\n\n'],
  'centered blocks': ['<center>\n\n', '\n\n</center>\n\n'],
  'cells with blank lines': ['<table><tr><td>\n\n', '\n\n</td></tr></table>\n\n'],
  'paragraphs that end in their wrapper': ['<section>\n\na', '</section>\n\n'],
  details: ['<details>\n\n<summary>a</summary>\n\n', '\n\n</details>\n\n'],
  figures: ['<figure><img src="x.png"><figcaption>', '</figcaption></figure>'],
  'HTML lists': ['<ul><li>', '</li></ul>'],
  'HTML tables': ['<table><tr><td>', '</td></tr></table>'],
  'HTML cards': [
    '<table data-view="cards"><thead><tr><th>',
    '</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
  ],
  'HTML code': ['<pre><code class="lang-js">', '</code></pre>'],
  scripts: ['<script>', '</script>'],
  styles: ['<style>', '</style>'],
  'HTML paragraphs': ['<p align="center">', '</p>'],
  fences: ['```js\n', '\n```\n'],
  'fences of waves': ['~~~\n', '\n~~~\n'],
  'mathematics in blocks': ['$$\n', '\n$$\n'],
  hints: ['{% hint style="info" %}\n', '\n{% endhint %}\n'],
  tabs: ['{% tabs %}\n{% tab title="a" %}\n', '\n{% endtab %}\n{% endtabs %}\n'],
  steppers: ['{% stepper %}\n{% step %}\n', '\n{% endstep %}\n{% endstepper %}\n'],
  columns: ['{% columns %}\n{% column %}\n', '\n{% endcolumn %}\n{% endcolumns %}\n'],
  updates: ['{% updates %}\n{% update date="2026-01-31" %}\n', '\n{% endupdate %}\n{% endupdates %}\n'],
  'tags that look like conditions': ['{%- if a -%}', '{% end if %}'],
  'tags that sentences name': ['{% case a %}', '{% endcase %}'],
  'parts of conditions': ['{% if a.b %}\n\n{% else %}', '{% endif %}\n\n'],
  'conditions of two lines': ['{% if a\n', '== b %}{% endif %}'],
  'conditions without an end': ['{% if', '{% endif'],
  'braces before white space': ['{ ', '%}'],
  'conditions after white space': [`{%${'\u200b'.repeat(50)}`, 'if'],
  'disguised conditions': ['{%&nbsp;<b>**if**</b> a', '{% endif'],
  'braces of conditions': ['{if visitor.a', '{endif'],
  'names of visitors': ['{% a visitor.', '%'],
  'braces before line breaks': ['{\n\n%\n', 'if'],
  'conditions in other brackets': ['(% if visitor.a %)', '(% endif %)'],
  'parts of conditions in other brackets': ['% if a', '{{#visitor.'],
  'brackets without a condition': ['{x if', '(% if'],
  'expressions in labels': ['<a class="button" href="x"><code class="expression">a</code>', '</a>'],
  'conditions with wrong keys': ['{$ if visitor.a $}', '{$ endif $}'],
  'conditions without the percent sign of their end': ['{% if visitor.a }', '{% endif }'],
  'braces of sections': ['{if visitor.a}', '{/if}'],
  'conditions and ends in other brackets': [
    '{% embed url="{% if a %}" %}(% if visitor.a %)',
    '{{/if}}(% endif %)',
  ],
  'openings without a variable': ['{{#if a}}<% if b %>', '<% end %>{{/if}}'],
  'parts of sections in others': ['{{#if visitor.a}}{{else if visitor.b}}', '{{/if}}'],
  'sections of conditions': ['{{#if visitor.a}}', '{{/if}}'],
  'parts of sections': ['{{#if', '{{/if'],
  'lists in other brackets': ['(% if ["a", "b', '"] visitor.a %)'],
  'lines in other brackets': ['(% if a\n', 'b visitor.a %)'],
  'code before tags': ['`{if a', '` %}'],
  'conditions without room': ['{%if\n', '{%if'],
  'closing tags before tags': ['{% end if', '{% a visitor.a %}'],
  'escaped quotes in tags': ['{% hint \\" %}', '\\"'],
  'lone quotes in tags': ['{% embed url="', '{% if a %}'],
  'variables with space': ['visitor         ', 'page [ '],
  conditions: ['{% if a.b == 1 %}\n', '\n{% endif %}\n'],
  'code with titles': ['{% code title="a" %}\n```\n', '\n```\n{% endcode %}\n'],
  prompts: ['{% prompt description="a" %}\n', '\n{% endprompt %}\n'],
  operations: ['{% swagger method="get" path="/x" %}\n', '\n{% endswagger %}\n'],
  'older operations': [
    '{% api-method method="get" %}\n{% api-method-spec %}\n',
    '\n{% endapi-method-spec %}\n{% endapi-method %}\n',
  ],
}

/** What stands alone. Each is tried repeated on one line, on lines of its own, and inside every container. */
const LEAVES: Record<string, string> = {
  words: 'word ',
  Chinese: '中文**粗**。',
  emoji: ':smile: ',
  'unknown emoji': ':a:b',
  pictures: '😀',
  addresses: 'http://a.org ',
  'addresses without a scheme': 'www.a.org ',
  mail: 'a@b.co ',
  'at signs': 'a@',
  entities: '&amp; ',
  'unknown entities': '&a',
  escapes: '\\*',
  backslashes: '\\',
  'hard breaks': 'a  \n',
  breaks: '<br>',
  'line images': '<img src="x.png" data-size="line">',
  headings: '## a\n\n',
  'headings of one text': '# Same\n\n',
  'underlined headings': 'a\n===\n\n',
  rules: '***\n\n',
  paragraphs: 'a\n\n',
  bullets: '* a\n',
  'loose bullets': '* a\n\n',
  numbers: '1. a\n',
  tasks: '- [x] a\n',
  quotes: '> a\n\n',
  'indented code': '    a\n\n',
  rows: '| a | b |\n',
  tables: '| a | b |\n| - | - |\n| c | d |\n\n',
  definitions: '[r]: http://a.org "b"\n',
  'footnote definitions': '[^a]: b\n\n',
  includes: '{% include "x.md" %}\n\n',
  embeds: '{% embed url="https://a.org" %}\n\n',
  files: '{% file src="x.pdf" %}\n\n',
  'content references': '{% content-ref url="x.md" %}\n[x](x.md)\n{% endcontent-ref %}\n\n',
  'unknown tags': '{% unknown a="b" %}\n\n',
  integrations: '{% @mermaid/diagram content="graph" %}\n\n',
  'descriptions of APIs':
    '{% openapi src="x.yaml" path="/x" method="get" %}\n[x](x.yaml)\n{% endopenapi %}\n\n',
}

const SIGNS = [...'*_~`[]()<>{}!#|$:\\&"\'=-+.%/^@,;? \t\n\r\0\u00A0\u200B\uD800']

/** What can hold other content: the text before the first line, before the others, and after. */
const CONTAINERS: Record<string, [before: string, line: string, after: string]> = {
  quotes: ['', '> ', ''],
  bullets: ['* a\n', '  ', ''],
  'a hint': ['{% hint style="info" %}\n', '', '\n{% endhint %}'],
  'a tab': ['{% tabs %}\n{% tab title="a" %}\n', '', '\n{% endtab %}\n{% endtabs %}'],
  'a cell': ['<table><tr><td>', '', '</td></tr></table>'],
  details: ['<details>\n\n<summary>a</summary>\n\n', '', '\n\n</details>'],
  'a heading': ['## ', '', ''],
  'a link': ['[', '', '](x.md)'],
}

/** A container with lines of a construct. */
const inside =
  ([before, line, after]: [string, string, string], unit: string) =>
  (size: number) =>
    before + repeated(unit)(size).replaceAll(/^/gm, line) + after

/** Tables by rows and columns, which a growing size divides evenly. */
const table = (columns: (size: number) => number) => (size: number) => {
  const wide = Math.max(1, Math.floor(columns(size)))
  const rows = Math.ceil(size / (2 * wide))
  return `${'|a'.repeat(wide)}|\n${'|-'.repeat(wide)}|\n${`${'|b'.repeat(wide)}|\n`.repeat(rows)}`
}

const NUMBERED: Families = {
  'different headings': (size) => Array.from({ length: size / 8 }, (_, index) => `## h${index}\n\n`).join(''),
  'different footnotes': (size) =>
    Array.from({ length: size / 24 }, (_, index) => `a[^${index}]\n\n[^${index}]: b\n\n`).join(''),
  'footnotes beside tags with conditions in their values': (size) =>
    Array.from(
      { length: size / 64 },
      (_, index) => `a[^${index}] {% embed url="{% if a %}b" %}\n\n[^${index}]: b\n\n`,
    ).join(''),
  'different conditions in a footnote': (size) =>
    `a[^1]\n\n[^1]: ${Array.from({ length: size / 16 }, (_, index) => `{% if a${index} %}`).join('')}b`,
  'links that tags cut': repeated('w {% if a %} [x\n{% endif %} y](b.md)\n\n'),
  'labels that tags cut': nested('[{% if a %}\n', '\n{% endif %}](b.md)'),
  'lines of labels that tags cut': repeated('[![a\n{% if a %} ](b)\n{% endif %}'),
  'emphasis around tags behind HTML': repeated('**a {% if a %} b** {% endif %}', '<b>a</b> '),
  'links around tags behind HTML': repeated('[a {% if a %} b](c.md) {% endif %} <b>x</b>', '<b>a</b> '),
  'elements beside links around tags': repeated('<b>*a {% if a %}</b> b* <i>[c</i>](d) ', '<b>a</b> '),
  'lines of tags below HTML': repeated('<p>a</p>\n{% if a %}\nb\n{% endif %}\n'),
  'code behind lines of tags below HTML': repeated('<p>a</p>\n{% if a %}\n```\na\n\nb\n```\n{% endif %}\n'),
  'conditions in indented code': repeated('- a\n\n      {% if a %}\n      b `\n      {% endif %}\n\n'),
  'code behind HTML': repeated('`{% endif %}` <p>a</p>\n', '<p>a</p>\n'),
  'blocks in one wrapper': repeated('a\n\n', '<center>\n\n', '</center>\n'),
  'wrappers that end in others': repeated('<div>\n\na\n\n<center>\n\nb\n\n</div>\n\n</center>\n\n'),
  'code in lines of HTML': repeated('<li>`{% endif %}`\n'),
  'code without an end in HTML': repeated('`{% if a %}``{% endif %}\n<div>\n```\n', '<p>a</p>\n'),
  'conditions behind ends of code': repeated('```\na\n``` {% if a %}\n~~~\n'),
  'conditions that begin in values': repeated('{% embed url="{% if a %}" %}\n\n{% endif %}\n\n'),
  'ends of conditions that begin in values': repeated(
    '{{/if}} (% endif %)\n\n',
    '{% embed url="{% if a %}" %}\n\n',
  ),
  'values and ends in other brackets': (size) =>
    `${'{% embed url="{% if a %}" %}\n\n'.repeat(size / 64)}${'{{/if}} {{/a}}\n\n'.repeat(size / 32)}`,
  'ends of many helpers': (size) =>
    Array.from({ length: size / 48 }, (_, index) => `{{#h${index} visitor.a}} b {{/h${index}}}\n\n`).join(''),
  'openings of many helpers': (size) =>
    Array.from({ length: size / 32 }, (_, index) => `{{#h${index} visitor.a}}\n\n`).join(''),
  'ends of many helpers without a beginning': (size) =>
    `{{#if visitor.a}} ${Array.from({ length: size / 16 }, (_, index) => `{{/h${index}}}\n\n`).join('')}`,
  'named tags beside ends in code': repeated('{% unless %} `{% endunless %}`\n\n'),
  'doubtful ends in other brackets': repeated('(% if visitor.a %) (% endif %) (% endif %)\n\n'),
  'doubtful ends in other brackets at last': (size) =>
    `${'(% if visitor.a %)\n\n'.repeat(size / 48)}${'(% if visitor.a %) (% endif %) (% endif %)\n\n'.repeat(size / 96)}`,
  'code and ends in other brackets': repeated('`(% endif %)` (% if visitor.a %) `b` (% endif %)\n\n'),
  'different definitions': (size) =>
    Array.from({ length: size / 24 }, (_, index) => `[a][r${index}]\n\n[r${index}]: b\n\n`).join(''),
  'different addresses': (size) =>
    Array.from({ length: size / 12 }, (_, index) => `[a](p${index}.md) `).join(''),
  'longer code spans': (size) =>
    Array.from({ length: Math.sqrt(2 * size) }, (_, index) => '`'.repeat(index + 1)).join(' '),
  'lists by indentation': (size) =>
    Array.from({ length: Math.sqrt(size) }, (_, index) => `${'  '.repeat(index)}* a`).join('\n'),
  'a narrow table': table(() => 2),
  'a table of 20 columns': table(() => 20),
  'a square table': table((size) => Math.min(90, Math.sqrt(size / 2))),
  'a wide table': table((size) => size / 8),
  'a long line of attributes': repeated('a="b" ', '<a ', '>x</a>'),
  'a long tag': repeated('a="b" ', '{% hint ', ' %}\nx\n{% endhint %}'),
  'a tag of quotes': repeated('"', '{% hint a=', ' %}'),
  'a long title': repeated('a ', '# ', '\n\nb'),
  'a title of marks': repeated('**a** ', '# ', '\n\nb'),
  'a code block': repeated('a b c\n', '```js\n', '```\n'),
  'a long formula': repeated('a^2+', '$$\n', '\n$$\n'),
}

/** Runs of one character in the middle of something: a pattern that begins with a repetition tries each of them. */
const RUNS: Families = Object.fromEntries(
  Object.entries({
    spaces: ' ',
    tabs: '\t',
    letters: 'a',
    'signs of headings': '#',
    slashes: '/',
    dashes: '-',
    'equals signs': '=',
    breaks: '<br>',
  }).flatMap(([name, unit]) =>
    Object.entries({
      'before a line break': ['a', 'b\nc'],
      'before a footnote': ['', ' [^a]\n\n[^a]: b\n'],
      'in a title': ['# a ', ' b\n\nc\n'],
      'in a heading': ['c\n\n## a ', ' b\n'],
      'in bold text': ['**a', 'b**'],
      'in a link': ['[a', 'b](x.md "a\nb")'],
      'in a title of a link': ['[a](x.md "a', 'b\nc")'],
      'in a tag': ['{% hint style="a', 'b" %}\na\n{% endhint %}\n'],
      'in an attribute': ['<mark style="color:', 'red">a</mark>'],
      'in a style': ['<mark style="', 'color:red">a</mark>'],
      'in a class': ['<a class="', 'button" href="x.md">a</a>'],
      'in a cell': ['<table><tr><td>a', 'b</td></tr></table>\n'],
      'in a summary': ['<details>\n\n<summary>a', 'b\nc</summary>\n\nd\n\n</details>\n'],
      'in a formula': ['$$a', 'b\nc$$'],
      'in front matter': ['---\na', 'b\n---\n\nc\n'],
      'in a key of front matter': ['---\na: b\nc', 'd\n---\n\ne\n'],
      'in a definition': ['[a]\n\n[a]: <b', 'c> "d"\n'],
      'in a caption': ['<figure><img src="x.png"><figcaption>a', 'b\nc</figcaption></figure>\n'],
    }).map(([where, [before, after]]) => [`a run of ${name} ${where}`, repeated(unit, before, after)]),
  ),
)

/** Every family of the table, by name. */
export const CONSTRUCTS: Families = {
  ...NUMBERED,
  ...RUNS,
  'styles of many declarations': repeated('a:b;', '<mark style="', '">x</mark>'),
  'styles of colons': repeated(':', '<mark style="color', '">x</mark>'),
  'a long colour': repeated('f', '<mark style="color:#', '">x</mark>'),
  'many colours': repeated('<mark style="color:#ff0000;background-color:$primary">x</mark>\n\n'),
  ...Object.fromEntries(
    Object.entries(PAIRS).flatMap(([name, [open, close]]) => [
      [`${name} in one another`, nested(open, close)],
      [`${name} one after the other`, repeated(`${open}x${close} `)],
      [`${name} in paragraphs`, repeated(`${open}x${close}\n\n`)],
      [`${name} without an end`, repeated(open)],
      [`${name} without a beginning`, repeated(close)],
      [`${name} that end once`, repeated(open, '', close)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(LEAVES).flatMap(([name, unit]) => [
      [name, repeated(unit)],
      [`${name} without lines`, repeated(unit.trimEnd())],
      [`${name} after text`, repeated(`a ${unit}`)],
    ]),
  ),
  ...Object.fromEntries(
    SIGNS.flatMap((sign) => [
      [`${JSON.stringify(sign)} alone`, repeated(sign)],
      [`${JSON.stringify(sign)} after a letter`, repeated(`a${sign}`)],
      [`${JSON.stringify(sign)} between spaces`, repeated(`${sign} `)],
      [`${JSON.stringify(sign)} on lines`, repeated(`${sign}\n`)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(CONTAINERS).flatMap(([where, around]) =>
      Object.entries({
        ...LEAVES,
        ...Object.fromEntries(Object.entries(PAIRS).map(([name, both]) => [name, both.join('x')])),
      }).map(([name, unit]) => [`${name} in ${where}`, inside(around, unit)]),
    ),
  ),
}
