/** A small document as Word saves it: the parts of a .docx file. */
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const DRAWING =
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A paragraph in a style. */
export const p = (style: string, content: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${content}</w:p>`
/** A run of text with properties. */
export const r = (text: string, properties = '') =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`

const item = (level: number, list: number, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="ListParagraph"/><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${r(text)}</w:p>`
const cell = (text: string) => `<w:tc><w:p>${r(text)}</w:p></w:tc>`
const bookmark = (name: string) => `<w:bookmarkStart w:id="0" w:name="${name}"/><w:bookmarkEnd w:id="0"/>`

const PICTURE = `<w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="Picture" descr="A plan"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="rId4"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

const BODY = [
  p('Title', r('The handbook')),
  p('TOC1', r('Install … 1')),
  p('Normal', r('About ') + r('this', '<w:b/>') + r(' book.')),
  p('Heading1', bookmark('_Toc1') + r('Install')),
  p(
    'Normal',
    r('Ask') +
      '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="2"/></w:r>' +
      r(' first.'),
  ),
  item(0, 1, 'One'),
  item(1, 1, 'Below'),
  item(0, 2, 'First'),
  p('Heading2', bookmark('_Ref7') + r('On Linux')),
  p('HTMLPreformatted', r('apt install')),
  p('HTMLPreformatted', r('  lectern')),
  p('Normal', PICTURE),
  p('Heading1', r('Use')),
  p(
    'Normal',
    `<w:hyperlink w:anchor="_Ref7">${r('On Linux')}</w:hyperlink>${r(' and ')}<w:hyperlink r:id="rId5">${r('home')}</w:hyperlink>`,
  ),
  `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Key')}${cell('Value')}</w:tr><w:tr>${cell('a')}${cell('1')}</w:tr></w:tbl>`,
  p('Quote', r('Well said.')),
].join('')

const style = (id: string, name: string, type = 'paragraph') =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`

/** The parts of the document by path; the body is replaced if one is given. */
export function docxParts(body = BODY): Record<string, string | Uint8Array> {
  const relation = (id: string, type: string, target: string, more = '') =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${more}/>`
  const relations = (...all: string[]) =>
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'word/document.xml')),
    'word/_rels/document.xml.rels': relations(
      relation('rId1', 'styles', 'styles.xml'),
      relation('rId2', 'numbering', 'numbering.xml'),
      relation('rId3', 'footnotes', 'footnotes.xml'),
      relation('rId4', 'image', 'media/image1.png'),
      relation('rId5', 'hyperlink', 'https://example.com/', ' TargetMode="External"'),
    ),
    'word/document.xml': `${XML}<w:document ${W} ${R} ${M} ${DRAWING}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `${XML}<w:styles ${W}>${[
      style('Title', 'Title'),
      style('TOC1', 'toc 1'),
      style('Normal', 'Normal'),
      style('Heading1', 'heading 1'),
      style('Heading2', 'heading 2'),
      style('ListParagraph', 'List Paragraph'),
      style('HTMLPreformatted', 'HTML Preformatted'),
      style('Quote', 'Quote'),
      style('FootnoteReference', 'footnote reference', 'character'),
    ].join('')}</w:styles>`,
    'word/numbering.xml': `${XML}<w:numbering ${W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    'word/footnotes.xml': `${XML}<w:footnotes ${W}><w:footnote w:id="2"><w:p>${r('Anyone who knows.')}</w:p></w:footnote></w:footnotes>`,
    'word/media/image1.png': Buffer.from('iVBORw0KGgo=', 'base64'),
  }
}
