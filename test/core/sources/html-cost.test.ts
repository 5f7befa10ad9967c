/** Converting HTML takes time that grows with its length, whatever is in it. */
import { test } from 'node:test'
import { convertHtml } from '../../../src/core/sources/html-site.ts'
import { ImportRefused } from '../../../src/core/repository/refused.ts'
import { assertLinear, familiesOf, nested, repeated } from '../cost/growth.ts'
import { bytesIn } from './sources.ts'

const FAMILIES = {
  paragraphs: repeated('<p>some <b>bold</b> text</p>'),
  'line breaks': repeated('text<br>'),
  'line breaks with spaces': repeated('text <br> '),
  'closing tags': repeated('</div>'),
  'open formatting': repeated('<p><b>'),
  'rows of a table': repeated('<tr><td>a', '<table>'),
  'tables in tables': nested('<table><tr><td>', '</table>'),
  'framed code': repeated('<div class="highlight"><span>a</span></div>'),
  'frames in frames': nested('<div class="highlight">', '</div>'),
  spaces: repeated('   \n'),
  'links without an end': repeated('<a href=x>y</a'),
  headings: repeated('<a name=x></a><h2>y</h2>'),
  anchors: repeated('<a name=x></a>'),
  'footnote words': repeated('word '),
  'lists in lists': nested('<ul><li>', '</ul>'),
  callouts: repeated('<div class="admonition note"><p class="admonition-title">Note</p>x</div>'),
  'links around blocks': nested('<a href=x><p>', '</a>'),
  entities: repeated('&amp;&#x41;&unknown;'),
  'an unclosed comment': repeated('<!-- '),
  definitions: repeated('<dt>a<dd>b', '<dl>'),
  classes: repeated('a-', '<p class="', '">x'),
}

for (const [name, make] of familiesOf(FAMILIES, 3)) {
  test(`converting HTML is linear: ${name}`, () => {
    assertLinear(make, (html) => {
      try {
        convertHtml(bytesIn({ 'a.html': `<main>${html}</main>` }))
      } catch (error) {
        if (!(error instanceof ImportRefused)) throw error
      }
    })
  })
}
