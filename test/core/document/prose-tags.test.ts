/** A tag that a sentence only names is text, and a condition as soon as anything on its page can end it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printPage } from '../../../src/core/document/print.ts'
import { hiddenParts, unshownParts } from '../../../src/core/document/shown/unshown.ts'
import { CONTAINERS, OPEN_PLACES, TITLED_PLACES, WHOLE_PLACES } from '../condition-places.ts'
import { diagonalOf } from '../../effort.ts'
import { shownPage } from '../shown-page.ts'
import { everything, hides, nothing } from './hides.ts'

/** Tags that sentences name, each with what makes it a condition if it follows. */
const NAMED: [tag: string, ...parts: string[]][] = [
  ['{% case study %}', '{% endcase %}', '{% when "a" %}', '{% else %}', '{% endif %}', '{% end-case %}'],
  ['{%- case study -%}', '{%- endcase -%}', '{{/case}}', '(% endcase %)', '<% when "a" %>', '{{else}}'],
  ['{% case of a customer, or two %}', '{% ENDCASE %}', '{% WHEN a %}', '{% elsif a %}'],
  ['{% case %}', '{% endcase %}', '{% endswitch %}', '{% unless b %} c {% endunless %} {% endif %}'],
  ['{% switch … %}', '{% endswitch %}', '{% endcase %}', '{% default %}'],
  ['{% switch to us %}', '{% /switch %}', '{% end switch %}'],
  ['{% unless %}', '{% endunless %}', '{% endif %}', '{% end unless %}', '{{/unless}}'],
  ['{% unless … %}', '{% ENDUNLESS %}', '{%- endif -%}'],
  ['{% unless ... %}', '(% endunless %)'],
  ['{% when %}', '{% endcase %}', '{% endif %}', '{% else %}'],
]
/** Tags that can only have been meant as conditions, also without an end. */
const MEANT = [
  '{% unless a %}',
  '{% unless you like %}',
  '{% unless plan == "pro" %}',
  '{% unless visitor.claims.a %}',
  '{% case visitor.claims.a %}',
  '{% case plan.name %}',
  '{% case user_plan %}',
  '{% case "a" %}',
  '{% case(a) %}',
  '{% case a == b %}',
  '{% CASE a | upcase %}',
  '{% c\u0430se study %}',
  '{%\u00a0case study %}',
  '{% **case** study %}',
  '{% case study',
  '{% when a %}',
  '{% else %}',
  '{% elsif %}',
]
const reasonsOf = (source: string) => hiddenParts(parsePage(source), source).map(({ reason }) => reason)

const PLACES = { ...OPEN_PLACES, ...TITLED_PLACES, ...WHOLE_PLACES }

for (const [row, [place, put]] of Object.entries(PLACES).entries()) {
  test(`shows a tag that a sentence names in ${place}, and hides what a condition hides there`, () => {
    for (const [tag, ...parts] of diagonalOf(NAMED, row, 5, 2)) {
      const page = put(`BEFORE ${tag} BETWEEN`)
      const source = `FRONT\n\n${page}\n\nBEHIND\n`
      for (const version of [source, printPage(parsePage(source))]) {
        const shown = shownPage(version, nothing)
        for (const text of ['FRONT', 'BEFORE', 'BETWEEN', 'BEHIND'])
          assert.ok(shown.includes(text), `${text} is hidden in\n${version}`)
      }
      assert.deepEqual(reasonsOf(source), ['condition-named'], source)
      for (const part of parts) {
        const hidden = put(`BEFORE ${tag} SECRET1`)
        hides(`FRONT\n\n${hidden}\n\nSECRET2 ${part}\n`, ['FRONT'])
        hides(`FRONT\n\n${hidden}\n\n- SECRET2\n- SECRET3\n\n${part}\n`, ['FRONT'])
      }
    }
    for (const tag of diagonalOf(MEANT, row, 5, 2))
      hides(`FRONT\n\n${put(`BEFORE ${tag} SECRET1`)}\n\nSECRET2\n`, ['FRONT'])
  })
}

for (const [name, container] of Object.entries(CONTAINERS)) {
  test(`shows the members after a tag that a sentence names: ${name}`, () => {
    for (const [tag, part] of NAMED) {
      const shown = shownPage(`FRONT\n\n${container(`BEFORE ${tag} BETWEEN`, 'AFTER')}\n\nBEHIND\n`, nothing)
      for (const text of ['FRONT', 'BEFORE', 'BETWEEN', 'AFTER', 'BEHIND'])
        assert.ok(shown.includes(text), text)
      hides(`FRONT\n\n${container(`BEFORE ${tag} SECRET1`, `SECRET2 ${part}`)}\n`, ['FRONT'])
    }
  })
}

test('makes no condition of a tag because of an end in code', () => {
  for (const [tag, ...parts] of NAMED)
    for (const part of parts)
      for (const code of [`\`${part}\``, `\n\n\`\`\`liquid\n${part}\n\`\`\`\n\n`, `\n\n    ${part}\n\n`]) {
        const source = `FRONT ${tag} BETWEEN ${code} AFTER\n`
        assert.match(shownPage(source, nothing), /FRONT[^]*BETWEEN[^]*AFTER/, source)
        hides(`FRONT ${tag} SECRET ${code} SECRET ${part}\n`, ['FRONT'])
      }
})

test('names no tag where the words of it are read without the page', () => {
  for (const [tag] of NAMED) {
    hides(`# FRONT ${tag} SECRET\n\nSECRET\n`, ['FRONT'])
    hides(`FRONT ${tag} SECRET\n=====\n\nSECRET\n`, ['FRONT'])
    hides(`---\ntitle: "FRONT ${tag} SECRET"\n---\n\nBEHIND\n`, ['FRONT'])
    hides(`{% tabs %}\n{% tab title="FRONT ${tag} SECRET" %}\n\nx\n\n{% endtab %}\n{% endtabs %}\n`, [
      'FRONT',
    ])
    const shown = shownPage(`# FRONT\nUse ${tag} BETWEEN\n\nBEHIND\n`, nothing)
    assert.match(shown, /FRONT[^]*BETWEEN[^]*BEHIND/)
  }
})

test('reads a part of a case behind one, and an end of another condition, as a condition', () => {
  hides('FRONT {% case study %} SECRET {% when %} SECRET\n', ['FRONT'])
  hides('FRONT {% if visitor.claims.none %} SECRET {% when %} SECRET {% endif %} AFTER\n', ['FRONT', 'AFTER'])
  hides(
    'FRONT {% case study %} SECRET\n\n{% if visitor.claims.a %}\n\nSECRET\n\n{% endif %}\n\n{% endif %}\n',
    ['FRONT'],
  )
  const page =
    'FRONT {% case study %} BETWEEN\n\n{% if visitor.claims.a %}\n\nMEMBERS\n\n{% endif %}\n\nBEHIND\n'
  assert.match(shownPage(page, everything), /FRONT[^]*BETWEEN[^]*MEMBERS[^]*BEHIND/)
  assert.match(shownPage(page, nothing), /FRONT[^]*BETWEEN[^]*BEHIND/)
  assert.doesNotMatch(shownPage(page, nothing), /MEMBERS/)
})

test('reports a tag that a sentence names with its line, and none in code', () => {
  const source = '---\ntitle: x\n---\n\n`{% case study %}`\n\nUse {% case study %} here.\n'
  assert.deepEqual(
    hiddenParts(parsePage(source), source).map(({ line, reason, parameters }) => ({
      line,
      reason,
      parameters,
    })),
    [{ line: 7, reason: 'condition-named', parameters: { tag: '"{% case study %}"' } }],
  )
})

test('reports such a tag once in an import, and none that a backslash makes text', () => {
  for (const [tag] of NAMED) {
    const reported = (source: string) => unshownParts(parsePage(source), source).map(({ reason }) => reason)
    assert.deepEqual(reported(`Use ${tag} here.\n`), ['condition-named'], tag)
    assert.deepEqual(reported(`Use \\${tag} here.\n`), [], tag)
  }
})
