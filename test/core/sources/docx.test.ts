/** A document of a word processor becomes pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertDocx } from '../../../src/core/sources/office/docx.ts'
import { ImportRefused } from '../../../src/core/repository/refused.ts'
import { docxParts, p, r } from './docx-fixture.ts'
import { bytesIn, textsOf } from './sources.ts'

const convert = async (body?: string) => textsOf(await convertDocx(bytesIn(docxParts(body)), 'My book.docx'))

test('a document with several headings of the first level becomes a page for each, after a front page', async () => {
  const texts = await convert()
  assert.deepEqual(Object.keys(texts).toSorted(), [
    'README.md',
    'SUMMARY.md',
    'images/4caece539b039b16.png',
    'install.md',
    'use.md',
  ])
  assert.equal(
    texts['SUMMARY.md'],
    '# Table of contents\n\n* [The handbook](README.md)\n* [Install](install.md)\n* [Use](use.md)\n',
  )
  assert.equal(texts['README.md'], '# The handbook\n\nAbout **this** book.\n')
  assert.equal(
    texts['install.md'],
    `# Install

Ask[^1] first.

* One
  * Below

1. First

## On Linux <a href="#_ref7" id="_ref7"></a>

\`\`\`
apt install
  lectern
\`\`\`

<figure><img src="images/4caece539b039b16.png" alt="A plan"><figcaption></figcaption></figure>

[^1]: Anyone who knows.
`,
  )
  assert.equal(
    texts['use.md'],
    `# Use

[On Linux](install.md#_ref7) and [home](https://example.com/)

| Key | Value |
| --- | --- |
| a | 1 |

> Well said.
`,
  )
})

test('a document with one heading of the first level, or none, is one page', async () => {
  const text = p('Normal', r('Text'))
  assert.deepEqual(await convert(p('Heading1', r('Only')) + text), { 'README.md': '# Only\n\nText\n' })
  assert.deepEqual(await convert(text), { 'README.md': '# My book\n\nText\n' })
  assert.deepEqual(await convert(p('Title', r('Name')) + p('Heading1', r('Part')) + text), {
    'README.md': '# Name\n\n## Part\n\nText\n',
  })
  assert.deepEqual(
    await convert(p('Title', r('Name')) + text + p('Heading1', r('Part')) + p('Heading2', r('Deep'))),
    {
      'README.md': '# Name\n\nText\n\n## Part\n\n### Deep\n',
    },
  )
})

test('is refused if it is no document, if its XML defines entities, and if it is nested too deeply', async () => {
  const refused = async (parts: Record<string, string | Uint8Array>) =>
    convertDocx(bytesIn(parts), 'a.docx').then(
      () => assert.fail('it was not refused'),
      (error: unknown) => {
        assert.ok(error instanceof ImportRefused, String(error))
        return error.message
      },
    )
  assert.match(await refused({ 'a.docx': 'x' }), /send that file itself/)
  const bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><w:document>&b;</w:document>'
  assert.match(await refused({ ...docxParts(), 'word/document.xml': bomb }), /document type/)
  const deep = `${'<w:sdt>'.repeat(400)}${'</w:sdt>'.repeat(400)}`
  assert.match(await refused(docxParts(deep)), /nested deeper than 200/)
  assert.match(await refused({ ...docxParts(), 'word/document.xml': '<w:document' }), /cannot be read/)
  const { 'word/document.xml': _, ...without } = docxParts()
  assert.match(await refused(without), /send that file itself/)
})

/** A picture that the document links to by the relationship `rId4`. */
const LINKED = `<w:r><w:t>See </w:t><w:drawing><wp:inline><wp:docPr id="1" name="Picture" descr="A plan"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="rId4"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing><w:t> here</w:t></w:r>`

const LINKED_PICTURES: [target: string, text: string, listed: string[]][] = [
  ['https://example.com/a%20b.png?x=1', 'See ![A plan](https://example.com/a%20b.png?x=1) here', []],
  ['file:///etc/hostname', 'See A plan here', ['file:///etc/hostname']],
  ['..\\media\\plan.png', 'See A plan here', ['..\\media\\plan.png']],
]

for (const [target, text, listed] of LINKED_PICTURES) {
  test(`a picture that a document links to is shown from the web, or listed, and never read: ${target}`, async () => {
    const relations = String(docxParts()['word/_rels/document.xml.rels']).replace(
      'Target="media/image1.png"',
      `Target="${target}" TargetMode="External"`,
    )
    const parts = { ...docxParts(p('Normal', LINKED)), 'word/_rels/document.xml.rels': relations }
    const converted = await convertDocx(bytesIn(parts), 'a.docx')
    assert.deepEqual(textsOf(converted), { 'README.md': `# A\n\n${text}\n` })
    assert.deepEqual(
      converted.problems.map(({ kind, address }) => `${kind} ${address}`),
      listed.map((address) => `missing-file ${address}`),
    )
  })
}

test('formulas of a line and of a paragraph become formulas, also beside one another', async () => {
  const x = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>'
  const square =
    '<m:oMath><m:sSup><m:e><m:r><m:t>y</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>'
  const body =
    p('Normal', r('If ') + x + square + r(' &lt; 1.')) +
    p('Normal', `<m:oMathPara>${square}</m:oMathPara>`) +
    p('Normal', `<m:oMathPara>${x}${square}</m:oMathPara>`) +
    p('Normal', '<m:oMath/>')
  assert.deepEqual(await convert(body), {
    'README.md':
      '# My book\n\nIf <span class="math">x</span>$$y^2$$ < 1.\n\n$$\ny^2\n$$\n\n$$\n\\begin{gathered}x \\\\ y^2\\end{gathered}\n$$\n',
  })
})

test('tracked changes are applied, and they and comments are listed with their authors', async () => {
  const by = (author: string) => `w:id="1" w:author="${author}" w:date="2026-01-01T00:00:00Z"`
  const body = p(
    'Normal',
    `<w:pPr><w:rPr><w:ins ${by('Eve')}/></w:rPr></w:pPr>${r('Old ')}<w:ins ${by('Ada')}>${r('new')}</w:ins>` +
      `<w:del ${by('Bo')}><w:r><w:delText>gone</w:delText></w:r></w:del>` +
      `<w:moveFrom ${by('Ada')}>${r('from')}</w:moveFrom><w:moveTo ${by('Ada')}>${r(' to')}</w:moveTo>` +
      '<w:r><w:commentReference w:id="1"/></w:r>',
  )
  const comments = `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="1" w:author="Cy">${p('Normal', r('Why?'))}</w:comment></w:comments>`
  const converted = await convertDocx(
    bytesIn({ ...docxParts(body), 'word/comments.xml': comments }),
    'a.docx',
  )
  assert.deepEqual(textsOf(converted), { 'README.md': '# A\n\nOld new to\n' })
  assert.deepEqual(
    converted.problems.map(({ path, message }) => `${path} ${message}`),
    [
      'word/document.xml has tracked changes by Ada, Bo: 1 insertion is kept, and 1 deletion is left out',
      'word/comments.xml has 1 comment by Cy; comments of documents are not imported',
    ],
  )
})

test('text boxes and pictures of fields are kept, and charts, headers and footers are counted', async () => {
  const graphic = (inside: string) =>
    `<w:r><w:drawing><wp:inline><a:graphic>${inside}</a:graphic></wp:inline></w:drawing></w:r>`
  const box = (text: string) =>
    `<w:txbxContent>${p('Normal', r(text) + '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>')}</w:txbxContent>`
  const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const field = (instruction: string, result: string) =>
    `${char('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${char('separate')}${result}${char('end')}`
  const body =
    p('Normal', r('Before') + graphic(`${box('First ')}${box('Second ')}`) + r(' after.')) +
    p('Normal', field(' INCLUDEPICTURE "https://example.com/a.png" \\* MERGEFORMAT \\d ', '')) +
    p(
      'Normal',
      field(
        ' INCLUDEPICTURE "https://example.com/b.png"',
        graphic(
          '<a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId4"/></pic:blipFill></pic:pic></a:graphicData>',
        ),
      ),
    ) +
    p('Normal', '<w:fldSimple w:instr="INCLUDEPICTURE https://example.com/c.png"/>') +
    p('Normal', r('Page ') + field(' PAGE ', r('7'))) +
    p('Normal', graphic('<c:chart r:id="rId9"/>') + graphic('<dgm:relIds r:dm="rId9"/>'))
  const header = (text: string) =>
    `<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${p('Normal', r(text))}</w:hdr>`
  const parts = { ...docxParts(body), 'word/header1.xml': header('Secret'), 'word/footer1.xml': header('12') }
  const converted = await convertDocx(bytesIn(parts), 'a.docx')
  const picture = (address: string) =>
    `<figure><img src="${address}" alt=""><figcaption></figcaption></figure>`
  const image = [...converted.files.keys()].find((path) => path !== 'README.md') ?? ''
  assert.equal(
    textsOf(converted)['README.md'],
    [
      '# A',
      'Before after.',
      'First $$x$$',
      'Second $$x$$',
      picture('https://example.com/a.png'),
      picture(image),
      picture('https://example.com/c.png'),
      'Page 7\n',
    ].join('\n\n'),
  )
  assert.deepEqual(
    converted.problems.map(({ message }) => message),
    [
      'has 2 charts and diagrams, which cannot be imported; replace them with pictures',
      'has 1 header or footer with text, such as "Secret", which are not imported',
    ],
  )
})
