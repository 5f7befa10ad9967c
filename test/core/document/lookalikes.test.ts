/** What can only have been meant as a condition is one that never holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { normal } from '../../../src/core/document/normal-form.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printDocument } from '../../../src/core/document/print.ts'
import { unconditionalText } from '../../../src/core/document/markdown/reading.ts'
import {
  CODE_PLACES,
  CONTAINERS,
  DATA_PLACES,
  OPEN_PLACES,
  TITLED_CONTAINERS,
  TITLED_PLACES,
  WHOLE_PLACES,
} from '../condition-places.ts'
import { diagonalOf } from '../../effort.ts'
import { shownPage } from '../shown-page.ts'
import { everything, hides, nothing } from './hides.ts'

const OPENING = [
  '{%- if a -%}',
  '{%-if a-%}',
  '{%+ if a %}',
  '{%~ if a ~%}',
  '{%# if a %}',
  '{% IF a %}',
  '{% If a == "x" %}',
  "{% iF a == 'x' %}",
  '{% if(a) %}',
  '{% if: a %}',
  '{% if!a %}',
  '{% ifnot a %}',
  '{% if_version a %}',
  '{% ifversion a %}',
  '{% else if a %}',
  '{% elseif a %}',
  '{% elsif a %}',
  '{% elif a %}',
  '{% else %}',
  '{%\u00a0if a %}',
  '{% if\u00a0a %}',
  '{%\u3000if a %}',
  '{%\u200bif a %}',
  '{%\ufeff if a %}',
  '{\u200b% if a %}',
  '{% i\u200bf a %}',
  '{ % if a % }',
  '{% if a % }',
  '{\uff05 if a \uff05}',
  '\uff5b% if a %\uff5d',
  '{% \uff49\uff46 a %}',
  '{% if a\n== true %}',
  '{% if\nvisitor.claims.a %}',
  '{% if\na %}',
  '{% if',
  '{%if',
  '{%if\nvisitor.claims.a %}',
  '{% if visitor.claims.a',
  '{% unless a %}',
  '{% UNLESS a %}',
  '{%- unless a -%}',
  '{% case a.b %}',
  '{% switch(a) %}',
  '{% when a %}',
]
/** The words of conditions behind, between or in signs that a person does not read. */
const DISGUISED = [
  '{%&nbsp;if a %}',
  '{%&#160;if a %}',
  '{%&#xA0;if a %}',
  '{%<br>if a %}',
  '{% <b>if</b> a %}',
  '{% i<b>f</b> a %}',
  '{% &#105;f a %}',
  '{% _if_ a %}',
  '{% `if` a %}',
  '{% **if** a %}',
  '{%!if a %}',
  '{% !if a %}',
  '{% :if a %}',
  '{%%if a %}',
  '{%>if a %}',
  '{%|if a %}',
  '{%?if a %}',
  '{% @if a %}',
  '{% "if" a %}',
  '{% (if a) %}',
  '{% not if a %}',
  '{% not "unless" a %}',
  '{% \\if a %}',
  '{if a %}',
  '{ if(a) %}',
  '{if visitor.claims.a}',
  '{#if visitor.claims.a}',
  '{unless a %}',
  '{         % if a %}',
  '{&nbsp;% if a %}',
  '{\n% if a %}',
  '{ % \nif a %}',
  '{% visitor.claims.a %}',
  '{% lf page.vars.beta %}',
  '{% only if space.vars.beta %}',
  '{if page.vars.beta}',
  '{% !visitor["claims"].a %}',
  '{% show visitor.claims.a == "b" %}',
  '{% show visitor  .claims.a %}',
  '{% show page["vars"].beta %}',
  '{% show space?.["vars"].beta %}',
  '{if visitor.claims.a',
  '{% visitor.claims.a',
  '{% \u0130F a %}',
  '{% \u0131f a %}',
  '{% \u0456f a %}',
  '{% i\u0192 a %}',
  '{% unl\u0435ss a %}',
  '{% \u24d8\u24d5 a %}',
  ...['\ufe0f', '\u034f', '\u2800', '\u3164', '\u180b', '\u2060', '\u{e0001}'].flatMap((sign) => [
    `{%${sign}if a %}`,
    `{${sign}% if a %}`,
    `{% if${sign}a %}`,
    `{% unless${sign}a %}`,
  ]),
  ...['\ufe0f', '\u034f', '\u180b', '\u2060'].map((sign) => `{% i${sign}f a %}`),
]
/** Tags in other brackets, with a variable that only conditions read. */
const IN_OTHER_BRACKETS = [
  '% if visitor.claims.a %}',
  '%if visitor.claims.a %}',
  '% unless visitor.claims.a %}',
  '(% if visitor.claims.a %)',
  '(%if visitor.claims.a%)',
  '( % if visitor.claims.a %)',
  '[% if visitor.claims.a %]',
  '[%- IF page.vars.beta -%]',
  '<% if visitor.claims.a %>',
  '<%= if (visitor["claims"].a) { %>',
  '<% elsif visitor.claims.a %>',
  '(% if visitor.claims.a == "x" %}',
  '(% if visitor.claims.a',
  '\uff08\uff05 if visitor.claims.a \uff05\uff09',
  '{{#visitor.claims.a}}',
  '{{^ space.vars.beta }}',
  '{x if visitor.claims.a %}',
  '{5 if visitor.claims.a == "x" %}',
  '{$if !visitor.claims.a %}',
  '{5if visitor.claims.a %}',
  '(% if ["pro"].includes(visitor.claims.a) %)',
  '[% if [\'pro\', "team"].includes(visitor.claims.a) %]',
  '(% if is_on && visitor.claims.a %)',
  '(% not if visitor.claims.a %)',
  '(% only if visitor.claims.a %)',
  '(% switch visitor.claims.a %)',
  '(% visitor.claims.a %)',
  '[% !visitor.claims.a %]',
  '(% if\nvisitor.claims.a %)',
  '(% if b &&\n  visitor.claims.a %)',
  '{{?visitor.claims.a}}',
  '{{#when visitor.claims.a}}',
  '{{#each visitor.claims.a}}',
  '{{#if visitor.claims.a}}',
  '{{~#if visitor.claims.a~}}',
  '{{^if visitor.claims.a}}',
  '{{#if (eq visitor.claims.a "x")}}',
  '{{#if\nvisitor.claims.a}}',
  '{{#unless visitor.claims.a}}',
]
/** The beginnings of tags that do not end before the next tag begins in their line. */
const BROKEN = [
  '`{% endif`.',
  '{% endhint',
  '{/if',
  '{endif',
  '{% end if',
  '{% endunless',
  ...['embed url="x"', 'embed url="', "embed url='", 'file src="x"', 'include "x"', 'openapi src="x"'].map(
    (one) => `{% ${one}`,
  ),
  ...['swagger src="x"', '@a/b c="d"', '@a/b c="', 'hint style="info"', 'hint style="', 'code title="x'].map(
    (one) => `{% ${one}`,
  ),
]
OPENING.push(...DISGUISED, ...IN_OTHER_BRACKETS)
const CLOSING = [
  '{%- endif -%}',
  '{% ENDIF %}',
  '{% end if %}',
  '{%-endif-%}',
  '{% endIf; %}',
  '{% /if %}',
  '{%\u00a0endif %}',
  '{%&nbsp;endif %}',
  '{% **endif** %}',
  '{% _end_ if %}',
  '{%- /if %}',
  '{endif %}',
  '{ /if %}',
]
const IF = '{% if visitor.claims.a %}'
const END = '{% endif %}'
/** A condition that no visitor of these tests meets. */
const NOBODY = '{% if visitor.claims.none %}'

/** Of the openings, each place tries a tenth by default, and a third in CI. Each is tried in some places. */
const STEPS = [10, 3] as const

const endOf = (opening: string) =>
  /unl.ss/i.test(opening)
    ? '{% endunless %}'
    : /case|switch/.test(opening)
      ? opening.replace(/(?<=\W)(?=case|switch)/, 'end')
      : END

const PLACES = { ...OPEN_PLACES, ...CODE_PLACES, ...TITLED_PLACES, ...WHOLE_PLACES, ...DATA_PLACES }

for (const [row, [place, put]] of Object.entries(PLACES).entries()) {
  test(`hides what follows anything that looks like a condition in ${place}`, () => {
    for (const opening of diagonalOf(OPENING, row, ...STEPS)) {
      const page = put(`BEFORE ${opening} SECRET1`)
      hides(`FRONT\n\n${page}\n\nSECRET2\n`, ['FRONT'])
      hides(`FRONT\n\n${page}\n\nSECRET2\n\n${endOf(opening)}\n\nx\n`, ['FRONT'])
    }
  })
}

test('hides what follows a condition whose words are below its signs', () => {
  for (const opening of [
    '{%\n\nif a %}',
    '{%\n\n\nif a %}',
    '{\n\n% if a %}',
    '{%\r\n\r\nif a %}',
    '> {%\n>\n> _if_ a %}',
    '- {%\n\n  if a %}',
    '{%\n\nvisitor.claims.a %}',
    '{%\nif\nvisitor.claims.a %}',
    '> {%\n> if\n> visitor.claims.a %}',
  ])
    hides(`FRONT\n\n${opening} SECRET\n\nSECRET\n\n${END}\n\nBEHIND\n`, ['FRONT'])
})

for (const [row, [name, container]] of Object.entries({ ...CONTAINERS, ...TITLED_CONTAINERS }).entries()) {
  test(`hides the members after anything that looks like a condition: ${name}`, () => {
    for (const opening of diagonalOf(OPENING, row, ...STEPS))
      hides(`FRONT\n\n${container(`BEFORE ${opening} SECRET1`, 'SECRET2')}\n\nSECRET3\n`, ['FRONT'])
  })
}

test('shows what follows the end of a condition that looks like one', () => {
  for (const opening of OPENING.filter((one) => /(?:%|\uff05)[}\uff5d]$/.test(one)))
    hides(
      `FRONT ${opening} SECRET ${endOf(opening)} AFTER\n\n${opening}\n\nSECRET\n\n${endOf(opening)}\n\nBEHIND\n`,
      ['FRONT', 'AFTER', 'BEHIND'],
    )
})

test('ends a condition at anything that looks like its closing tag', () => {
  for (const closing of CLOSING) {
    const page = `FRONT ${IF} MEMBERS ${closing} AFTER\n\n${IF}\n\nMEMBERS\n\n${closing}\n\nBEHIND\n`
    const [others, members] = [shownPage(page, nothing), shownPage(page, everything)]
    assert.doesNotMatch(others, /MEMBERS/, page)
    for (const text of ['FRONT', 'AFTER', 'BEHIND']) assert.ok(others.includes(text), `${text} in ${page}`)
    assert.match(members, /MEMBERS/)
  }
})

test('reads a condition behind a tag that does not end before it', () => {
  for (const broken of BROKEN) {
    hides(`FRONT ${broken} ${NOBODY}SECRET${END} AFTER\n`, ['FRONT', 'AFTER'])
    hides(`FRONT ${broken} ${NOBODY}\n\nSECRET\n\n${END}\n\nBEHIND\n`, ['FRONT', 'BEHIND'])
  }
  for (const broken of ['{% if b', '{%- if b', '{% IF b', '{if visitor.claims.b'])
    hides(`FRONT ${broken} ${NOBODY} SECRET ${END} SECRET ${END} AFTER\n`, ['FRONT', 'AFTER'])
})

test('shows the first part of a condition with another part to those who meet it, and the other to nobody', () => {
  const page = `FRONT ${IF} MEMBERS {% else %} SECRET ${END} AFTER\n\n${IF}\n\nMEMBERS\n\n{% elsif b %}\n\nSECRET\n\n- x {% else %} SECRET\n- SECRET ${END} AFTER\n\nBEHIND\n`
  hides(page, ['FRONT', 'MEMBERS', 'AFTER', 'BEHIND'])
  assert.doesNotMatch(shownPage(page, nothing), /MEMBERS|SECRET/)
  assert.match(shownPage(page, nothing), /AFTER[^]*BEHIND/)
})

test('ends a condition only at a closing tag of its own form', () => {
  hides(`{% unless a %}\n\nSECRET\n\n${END}\n\nSECRET\n\n{% endunless %}\n\nBEHIND\n`, ['BEHIND'])
  hides(`# T {% unless a %}SECRET${END}SECRET\n\nSECRET\n\n{% endunless %}\n\nBEHIND\n`, ['BEHIND'])
  const page = `${IF}\n\nMEMBERS\n\n{% endunless %}\n\nMEMBERS\n\n{% endcase %}\n\nMEMBERS ${END}`
  assert.doesNotMatch(shownPage(page, nothing), /MEMBERS/)
})

test('leaves code, formulas and escaped tags alone', () => {
  for (const opening of OPENING.filter((one) => !/[^ -~]/.test(one))) {
    const page = `FRONT \`${opening}\` AFTER\n\n\`\`\`liquid\n${opening}\nVALUE\n\`\`\`\n\n    ${opening}\n\n$$\n${opening}\n$$\n\nBEHIND\n`
    const shown = shownPage(page, nothing)
    for (const text of ['FRONT', 'AFTER', 'VALUE', 'BEHIND']) assert.ok(shown.includes(text), page)
    assert.ok(shown.includes(JSON.stringify(opening).slice(1, -1)) || opening.includes('\n'), shown)
    assert.match(shownPage(`FRONT \\${opening} AFTER`, nothing), /AFTER/)
  }
  for (const text of [
    '{% iframe src="a" %}',
    '{% for x in y %}',
    '{% raw %}',
    '{%}',
    'a {% b',
    '100{%',
    '{% casement %}',
    '{% note if a %}',
    '`{%` if a `%}`',
    '`{%if`',
    '(%visitor.claims.a and (% visitor.claims.b',
    '{%\n\nif \n\n',
    '`{% if` and `%}`',
    '`x {% unless` and `%}`',
    '`{if` and ` costs 5 %} less`',
    '`{% embed url` and `%}`',
    '\n\n```\n{%if\n```\n\n`{%if` `{%IF` `{%If`',
    '`{%`: if a, `%}`',
    '`{%` `if` a',
    '<code>{%</code> if a',
    '$$\n{%\n$$\n\nif a',
    '```\n{%\n```\n\nif a',
    '~~~\n{%\n~~~\n\nif a',
    '{"if": true}',
    '{if a}',
    '{{#if a}}',
    '{id} {unit} {ending}',
    '{% hint style="info" title="visitor.claims.a" %}\nx\n{% endhint %}\n\n',
    '{{ visitor.claims.a }}',
    '{visitor.claims.a}',
    '{% for x in y %}, {visitor.claims.a}',
    '50 % if visitor.claims.a is set',
    '50 % if visitor.claims.a is set, see {% raw %}',
    '50% if a, 20% if b %}',
    '(50% if visitor.claims.a)',
    '(% if a %) [% IF b %] <% if (c) { %> {{#d}} {x if e %}',
    '<%= visitor.claims.a %> {{ visitor.claims.a }} {{/visitor.claims.a}}',
    '(%20if) % if **a** visitor.claims.a %}',
    '{the plan if visitor.claims.a %}',
    '`(%` if visitor.claims.a `%)`',
    'a {% b and {% if visitor.claims.a %}c{% endif %}',
  ])
    assert.match(shownPage(`FRONT ${text} AFTER`, nothing), /AFTER/, text)
})

test('prints text that looks like a condition as text', () => {
  for (const text of [...OPENING, ...CLOSING, '{', '{ ', '\uff5b']) {
    const line = text.replaceAll('\n', ' ')
    const document = {
      object: 'document' as const,
      data: { schemaVersion: 1 },
      nodes: parsePage('x **y**\n\n<p align="center">z</p>\n').document.nodes.map((block) =>
        JSON.parse(
          JSON.stringify(block)
            .replaceAll('"x ', JSON.stringify(`${line} a ${line}`).slice(0, -1))
            .replaceAll('"z"', JSON.stringify(`q ${line} r`)),
        ),
      ),
    }
    assert.deepEqual(
      normal(parsePage(printDocument(document)).document),
      normal(document),
      printDocument(document),
    )
  }
})

test('cuts a source that cannot be read at anything that looks like a condition', () => {
  for (const opening of OPENING) assert.equal(unconditionalText(`FRONT ${opening} SECRET`), 'FRONT ', opening)
})
