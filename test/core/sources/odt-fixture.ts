/** A small document as LibreOffice saves it: the parts of an .odt file. */
const NAMESPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A paragraph in a style. */
export const odtP = (style: string, content: string) =>
  `<text:p text:style-name="${style}">${content}</text:p>`
/** A heading of a level. */
export const odtH = (level: number, content: string) =>
  `<text:h text:style-name="Heading_20_${level}" text:outline-level="${level}">${content}</text:h>`

const span = (style: string, content: string) =>
  `<text:span text:style-name="${style}">${content}</text:span>`
const item = (content: string, attributes = '') => `<text:list-item${attributes}>${content}</text:list-item>`
const frame = (content: string) => `<draw:frame draw:name="a">${content}</draw:frame>`
const object = frame(
  '<draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/>',
)
const cell = (content: string, attributes = '') =>
  `<table:table-cell${attributes}>${odtP('Standard', content)}</table:table-cell>`

const BODY = [
  '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>Bo</dc:creator></office:change-info><text:p>gone</text:p></text:deletion></text:changed-region><text:changed-region text:id="c2"><text:insertion><office:change-info><dc:creator>Ada</dc:creator></office:change-info></text:insertion></text:changed-region></text:tracked-changes>',
  '<text:sequence-decls><text:sequence-decl text:name="Table"/></text:sequence-decls>',
  odtP('Title', 'The handbook'),
  `<text:table-of-content><text:index-body>${odtP('Contents_20_1', 'Install 1')}</text:index-body></text:table-of-content>`,
  odtP(
    'P1',
    `About ${span('T1', 'this')} ${span('T2', 'small')}<text:change text:change-id="c1"/> ${span('Source_20_Text', 'code')}<text:line-break/>H${span('T3', '2')}O`,
  ),
  odtH(1, '<text:bookmark-start text:name="top"/>Install<text:bookmark-end text:name="top"/>'),
  odtP(
    'Standard',
    `Ask<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${odtP('Footnote', 'Anyone who knows.')}</text:note-body></text:note> first<office:annotation><dc:creator>Cy</dc:creator>${odtP('P1', 'Why?')}</office:annotation>.`,
  ),
  `<text:list text:style-name="L1">${item(odtP('P1', 'One') + `<text:list>${item(odtP('P1', 'Below'))}</text:list>`)}${item(odtP('P1', 'Two'))}</text:list>`,
  `<text:list text:style-name="L2">${item(odtP('P1', 'Third'), ' text:start-value="3"')}${item(odtP('P1', 'Fourth'))}</text:list>`,
  odtH(2, '<text:bookmark text:name="linux"/>On Linux'),
  odtP('Preformatted_20_Text', 'apt install'),
  odtP('P2', '<text:s text:c="2"/>lectern &lt;x&gt;'),
  odtP(
    'Standard',
    frame(
      '<draw:image xlink:href="Pictures/plan.png"/><svg:title>Plan</svg:title><svg:desc>A plan</svg:desc>',
    ),
  ),
  odtP('Standard', `So ${object} is small.`),
  odtP('Standard', object),
  `<text:list text:style-name="Outline">${item(odtH(1, 'Use'))}</text:list>`,
  `<text:section text:name="S">${odtP(
    'Standard',
    '<text:a xlink:href="#linux">On Linux</text:a> and <text:a xlink:href="https://example.com/">home</text:a>, <text:bookmark-ref text:ref-name="top">top</text:bookmark-ref>',
  )}</text:section>`,
  `<table:table><table:table-column/><table:table-header-rows><table:table-row>${cell('Key')}${cell('Value')}</table:table-row></table:table-header-rows><table:table-row>${cell('a')}${cell('1')}</table:table-row><table:table-row>${cell('b', ' table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table>`,
  odtP('Quotations', 'Well said.'),
  odtP('Standard', frame('<draw:image xlink:href="Pictures/old.emf"/>')),
  odtP('Standard', frame('<draw:image xlink:href="https://example.com/a.png"/>')),
  odtP('Standard', frame(`<draw:text-box>${odtP('Standard', 'In a box')}</draw:text-box>`)),
].join('')

const MATH =
  '<?xml version="1.0"?>\n<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">\n<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mfrac><mn>1</mn><mi>n</mi></mfrac><annotation encoding="StarMath 5.0">1 over n</annotation></semantics></math>'

const style = (name: string, parent: string, properties = '') =>
  `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}"><style:text-properties ${properties}/></style:style>`
const listStyle = (name: string, level: string) =>
  `<text:list-style style:name="${name}"><text:list-level-style-${level}/></text:list-style>`

/** The parts of the document by path; the body is replaced if one is given. */
export function odtParts(body = BODY): Record<string, string | Uint8Array> {
  return {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `${XML}<office:document-content ${NAMESPACES}><office:automatic-styles>${[
      style('P1', 'Standard'),
      style('P2', 'Preformatted_20_Text'),
      style('T1', '', 'fo:font-weight="bold"'),
      style('T2', '', 'fo:font-style="italic" style:text-line-through-style="solid"'),
      style('T3', '', 'style:text-position="sub 58%"'),
      listStyle('L1', 'bullet text:level="1" text:bullet-char="•"'),
      listStyle('L2', 'number text:level="1" style:num-format="1"'),
    ].join(
      '',
    )}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    'styles.xml': `${XML}<office:document-styles ${NAMESPACES}><office:styles>${style('Title', 'Heading', 'fo:font-weight="bold"')}</office:styles></office:document-styles>`,
    'meta.xml': `${XML}<office:document-meta ${NAMESPACES}><office:meta><dc:title>In the properties</dc:title></office:meta></office:document-meta>`,
    'Object 1/content.xml': MATH,
    'ObjectReplacements/Object 1': 'svm',
    'Pictures/plan.png': Buffer.from('iVBORw0KGgo=', 'base64'),
    'Pictures/old.emf': 'emf',
  }
}
