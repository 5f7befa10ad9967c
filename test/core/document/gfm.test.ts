/**
 * The rules of GitHub Flavored Markdown 0.29 that CommonMark does not have, each with the HTML that its specification asks for.
 * The manual lists each rule that sites do not follow, with the reason.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseMarkdown } from '../../../src/core/document/parse.ts'
import { printDocument } from '../../../src/core/document/print.ts'
import { expectedMarkup, markupOfSite } from './shown-markup.ts'

type Example = [markdown: string, html: string]

/** A site shows an empty body of a table too, which readers do not see. */
const table = (head: string, ...rows: string[]) =>
  `<table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table>`
const link = (address: string, text = address) => `<a href="${address}">${text}</a>`
const item = (text: string, isDone = false) =>
  `<li><input type="checkbox" disabled=""${isDone ? ' checked=""' : ''}> ${text}</li>`

const RULES: Record<string, Example[]> = {
  'A table has a header, a row of delimiters, and rows.': [
    [
      '| Pump | Flow |\n| ---- | ---- |\n| A1 | 12 |\n| B2 | 30 |\n',
      table('<th>Pump</th><th>Flow</th>', '<td>A1</td><td>12</td>', '<td>B2</td><td>30</td>'),
    ],
    ['| Pump | Flow |\n| - | - |\n', table('<th>Pump</th><th>Flow</th>')],
  ],
  'Colons in the delimiters align a column.': [
    [
      '| a | b | c | d |\n| :- | :-: | -: | - |\n| 1 | 2 | 3 | 4 |\n',
      table(
        '<th align="left">a</th><th align="center">b</th><th align="right">c</th><th>d</th>',
        '<td align="left">1</td><td align="center">2</td><td align="right">3</td><td>4</td>',
      ),
    ],
  ],
  'The bars at both ends of a row are optional.': [
    [
      'Pump | Flow\n-- | --:\nA1 | 12\n',
      table('<th>Pump</th><th align="right">Flow</th>', '<td>A1</td><td align="right">12</td>'),
    ],
  ],
  'A backslash escapes a bar in a cell, also in code and emphasis.': [
    [
      '| Sign |\n| -- |\n| one \\| two |\n| `a \\| b` |\n| **c \\| d** |\n',
      table(
        '<th>Sign</th>',
        '<td>one | two</td>',
        '<td><code>a | b</code></td>',
        '<td><strong>c | d</strong></td>',
      ),
    ],
  ],
  'A table ends at an empty line or at the beginning of another block.': [
    [
      '| a |\n| - |\n| b |\n> quoted\n',
      `${table('<th>a</th>', '<td>b</td>')}<blockquote><p>quoted</p></blockquote>`,
    ],
    [
      '| a |\n| - |\n| b |\nrow\n\nparagraph\n',
      `${table('<th>a</th>', '<td>b</td>', '<td>row</td>')}<p>paragraph</p>`,
    ],
    ['| a |\n| - |\n| b |\n- item\n', `${table('<th>a</th>', '<td>b</td>')}<ul><li>item</li></ul>`],
    ['| a |\n| - |\n| b |\n# Title\n', `${table('<th>a</th>', '<td>b</td>')}<h1>Title</h1>`],
    [
      '| a |\n| - |\n| b |\n```\ncode\n```\n',
      `${table('<th>a</th>', '<td>b</td>')}<pre><code>code\n</code></pre>`,
    ],
  ],
  'A header must have as many cells as the row of delimiters.': [
    ['| a | b |\n| - |\n| c |\n', '<p>| a | b |\n| - |\n| c |</p>'],
    ['| a |\n| - | - |\n| c |\n', '<p>| a |\n| - | - |\n| c |</p>'],
  ],
  'Missing cells are empty, and more cells than in the header are ignored.': [
    [
      '| a | b |\n| - | - |\n| c |\n| d | e | f |\n',
      table('<th>a</th><th>b</th>', '<td>c</td><td></td>', '<td>d</td><td>e</td>'),
    ],
  ],
  'A cell has inlines and no blocks.': [
    [
      '| a |\n| - |\n| - b |\n| # c |\n| *d* ~~e~~ [f](g.md) |\n',
      table(
        '<th>a</th>',
        '<td>- b</td>',
        '<td># c</td>',
        '<td><em>d</em> <del>e</del> <a href="g.md">f</a></td>',
      ),
    ],
  ],
  'The header of a table may end a paragraph.': [
    ['Flows:\n| a |\n| - |\n| b |\n', `<p>Flows:</p>${table('<th>a</th>', '<td>b</td>')}`],
  ],
  'A box in brackets at the beginning of an item is a task.': [
    [
      '- [ ] open\n- [x] done\n- [X] also done\n',
      `<ul>${item('open')}${item('done', true)}${item('also done', true)}</ul>`,
    ],
    ['1. [ ] open\n2. [x] done\n', `<ol>${item('open')}${item('done', true)}</ol>`],
  ],
  'Tasks nest.': [
    [
      '- [x] all\n  - [ ] one\n  - [x] two\n- [ ] rest\n',
      `<ul>${item(`all<ul>${item('one')}${item('two', true)}</ul>`, true)}${item('rest')}</ul>`,
    ],
  ],
  'A box needs a space behind it, and a space or x in it.': [
    ['- [x]done\n- [] none\n- [y] other\n', '<ul><li>[x]done</li><li>[] none</li><li>[y] other</li></ul>'],
    ['- text [x] done\n', '<ul><li>text [x] done</li></ul>'],
  ],
  'One or two tildes strike text.': [
    ['~~Old~~ New\n', '<p><del>Old</del> New</p>'],
    ['~Old~ New\n', '<p><del>Old</del> New</p>'],
    ['~~*Old*~~\n', '<p><del><em>Old</em></del></p>'],
  ],
  'Struck text ends with its paragraph.': [
    ['This ~~has a\n\nnew paragraph~~.\n', '<p>This ~~has a</p><p>new paragraph~~.</p>'],
  ],
  'Three tildes strike nothing.': [['This is ~~~not~~~ struck.\n', '<p>This is ~~~not~~~ struck.</p>']],
  'An address with www. is a link to it by http.': [
    ['www.pumps.example\n', `<p>${link('http://www.pumps.example', 'www.pumps.example')}</p>`],
    [
      'See www.pumps.example/a1 now\n',
      `<p>See ${link('http://www.pumps.example/a1', 'www.pumps.example/a1')} now</p>`,
    ],
  ],
  'An address with http or https is a link.': [
    ['http://pumps.example\n', `<p>${link('http://pumps.example')}</p>`],
    ['(https://pumps.example/?q=a+b&c=d)\n', `<p>(${link('https://pumps.example/?q=a+b&amp;c=d')})</p>`],
    ['HTTPS://Pumps.Example/A\n', `<p>${link('HTTPS://Pumps.Example/A')}</p>`],
  ],
  'An address with ftp is a link.': [['ftp://pumps.example/a\n', `<p>${link('ftp://pumps.example/a')}</p>`]],
  'Punctuation at the end is not part of an address.': [
    ['Visit www.pumps.example.\n', `<p>Visit ${link('http://www.pumps.example', 'www.pumps.example')}.</p>`],
    ['Visit https://pumps.example/a.b.\n', `<p>Visit ${link('https://pumps.example/a.b')}.</p>`],
    [
      'https://pumps.example?! https://pumps.example,: *https://pumps.example*\n',
      `<p>${link('https://pumps.example')}?! ${link('https://pumps.example')},: <em>${link('https://pumps.example')}</em></p>`,
    ],
  ],
  'A closing bracket at the end is part of an address only if it opens there.': [
    [
      'www.pumps.example/a=(b)\n',
      `<p>${link('http://www.pumps.example/a=(b)', 'www.pumps.example/a=(b)')}</p>`,
    ],
    [
      'www.pumps.example/a=(b)))\n',
      `<p>${link('http://www.pumps.example/a=(b)', 'www.pumps.example/a=(b)')}))</p>`,
    ],
    [
      '(www.pumps.example/a=(b))\n',
      `<p>(${link('http://www.pumps.example/a=(b)', 'www.pumps.example/a=(b)')})</p>`,
    ],
    [
      '(www.pumps.example/a=(b)\n',
      `<p>(${link('http://www.pumps.example/a=(b)', 'www.pumps.example/a=(b)')}</p>`,
    ],
    [
      'www.pumps.example/(a))+b\n',
      `<p>${link('http://www.pumps.example/(a))+b', 'www.pumps.example/(a))+b')}</p>`,
    ],
  ],
  'What looks like an entity at the end is not part of an address.': [
    [
      'www.pumps.example/?q=a&b=c\n',
      `<p>${link('http://www.pumps.example/?q=a&amp;b=c', 'www.pumps.example/?q=a&amp;b=c')}</p>`,
    ],
    [
      'www.pumps.example/?q=a&copy;\n',
      `<p>${link('http://www.pumps.example/?q=a', 'www.pumps.example/?q=a')}©</p>`,
    ],
  ],
  'An address ends at <.': [
    ['www.pumps.example/a<b\n', `<p>${link('http://www.pumps.example/a', 'www.pumps.example/a')}&lt;b</p>`],
  ],
  'The last two parts of a host have no underscores.': [
    ['http://pumps_a.b_c.example/d\n', '<p>http://pumps_a.b_c.example/d</p>'],
    ['http://pumps_a.b.example/d\n', `<p>${link('http://pumps_a.b.example/d')}</p>`],
  ],
  'An address begins at the beginning of a line, behind white space or behind one of * _ ~ (.': [
    ['xwww.pumps.example ahttps://pumps.example\n', '<p>xwww.pumps.example ahttps://pumps.example</p>'],
    [
      '~~www.pumps.example~~ __www.pumps.example__\n',
      `<p><del>${link('http://www.pumps.example', 'www.pumps.example')}</del> <strong>${link('http://www.pumps.example', 'www.pumps.example')}</strong></p>`,
    ],
  ],
  'An e-mail address is a link.': [
    ['ask@pumps.example\n', `<p>${link('mailto:ask@pumps.example', 'ask@pumps.example')}</p>`],
    [
      'Ask a.b-c_d+e@pumps.example now.\n',
      `<p>Ask ${link('mailto:a.b-c_d+e@pumps.example', 'a.b-c_d+e@pumps.example')} now.</p>`,
    ],
  ],
  'An e-mail address may have a plus before the @, and not behind it.': [
    [
      'ask+me@pumps.example, ask@pumps+me.example\n',
      `<p>${link('mailto:ask+me@pumps.example', 'ask+me@pumps.example')}, ask@pumps+me.example</p>`,
    ],
  ],
  'A dot at the end is not part of an e-mail address, and no address ends in - or _.': [
    [
      'a@b-c_d.e\n\na@b-c_d.e.\n\na@b-c_d.e-\n\na@b-c_d.e_\n',
      `<p>${link('mailto:a@b-c_d.e', 'a@b-c_d.e')}</p><p>${link('mailto:a@b-c_d.e', 'a@b-c_d.e')}.</p><p>a@b-c_d.e-</p><p>a@b-c_d.e_</p>`,
    ],
  ],
  'An e-mail address with mailto: is a link, with the scheme in its text.': [
    ['mailto:ask@pumps.example\n', `<p>${link('mailto:ask@pumps.example')}</p>`],
    [
      'mailto:ask@pumps.example. mailto:ask@pumps.example/a\n',
      `<p>${link('mailto:ask@pumps.example')}. ${link('mailto:ask@pumps.example')}/a</p>`,
    ],
  ],
  'An address with xmpp: is a link.': [
    ['xmpp:ask@pumps.example/room\n', `<p>${link('xmpp:ask@pumps.example/room')}</p>`],
  ],
  'No address within a link or code is another link.': [
    [
      '[see https://pumps.example](a.md) `https://pumps.example`\n',
      '<p><a href="a.md">see https://pumps.example</a> <code>https://pumps.example</code></p>',
    ],
  ],
  'Tags that could break a page are shown as text.': [
    [
      '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed. <XMP> too.\n</blockquote>\n',
      '<p><strong> &lt;title> &lt;style> <em></em></strong></p><blockquote>&lt;xmp> is disallowed. &lt;XMP> too.</blockquote>',
    ],
    ...['title', 'textarea', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'script', 'plaintext'].map(
      (name): Example => [`a <${name}>b</${name}>\n`, `<p>a &lt;${name}>b&lt;/${name}></p>`],
    ),
  ],
}

const [, chapter = ''] = readFileSync('docs/markdown.md', 'utf8').split('| Rule of GitHub |')
/** The rules in the table of the manual. */
const LISTED = [...(chapter.split('\n\n')[0] ?? '').matchAll(/^\| ([^|-][^|]*) \| [^|]+ \|$/gm)].map(
  ([, rule]) => rule,
)

test('every rule of GitHub Flavored Markdown is followed, or is in the table of the manual', () => {
  const different = Object.entries(RULES).filter(([, examples]) =>
    examples.some(([markdown, html]) => markupOfSite(markdown) !== expectedMarkup(html)),
  )
  assert.deepEqual(
    different.map(([rule]) => rule),
    LISTED,
  )
})

test('what a rule of GitHub Flavored Markdown makes is the same when it is printed and read again', () => {
  for (const [markdown] of Object.values(RULES).flat()) {
    const printed = printDocument(parseMarkdown(markdown).document)
    assert.equal(markupOfSite(printed), markupOfSite(markdown), `${markdown}\n→\n${printed}`)
  }
})
