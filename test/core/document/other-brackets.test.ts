/** Where a condition ends that is in brackets which are not those of tags. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownPage } from '../shown-page.ts'
import { hides, nothing } from './hides.ts'

const IF = '{% if visitor.claims.a %}'
const END = '{% endif %}'

test('ends a condition in other brackets at its own end, which ends no other condition', () => {
  for (const [opening, closing] of [
    ['% if visitor.claims.a %}', '% endif %}'],
    ['(% if visitor.claims.a %)', '(% endif %)'],
    ['[%- IF visitor.claims.a -%]', '[%- END -%]'],
    ['<% if (visitor.claims.a) { %>', '<% } %>'],
    ['<% unless visitor.claims.a %>', '<% endunless %>'],
    ['{{#visitor.claims.a}}', '{{/visitor.claims.a}}'],
    ['{{#when visitor.claims.a}}', '{{/when}}'],
    ['{{#if visitor.claims.a}}', '{{/if}}'],
    ['{{~#if (eq visitor.claims.a "x")~}}', '{{~/if~}}'],
    ['{{{#if visitor.claims.a}}}', '{{{/if}}}'],
    ['{#if visitor.claims.a}', '{/if}'],
    ['{{#unless visitor.claims.a}}', '{{/unless}}'],
    ['(% case visitor.claims.a %)', '(% endcase %)'],
    ['{x if visitor.claims.a %}', '{x endif %}'],
  ] as const) {
    hides(`FRONT ${opening} SECRET ${closing} AFTER\n\n${opening}\n\nSECRET\n\n${closing}\n\nBEHIND\n`, [
      'FRONT',
      'AFTER',
      'BEHIND',
    ])
    const page = `FRONT ${opening} SECRET ${END} AFTER\n\n${IF}\n\nMEMBERS\n\n${closing}\n\nMEMBERS\n\n${END}\n`
    assert.doesNotMatch(shownPage(page, nothing), /MEMBERS/, page)
    assert.match(shownPage(`FRONT ${closing} AFTER`, nothing), /FRONT[^]*AFTER/, closing)
  }
})

test('ends a condition in other brackets at the last of the ends behind it', () => {
  for (const [opening, inner, end] of [
    ['(% if visitor.claims.a %)', '(% if b %)', '(% endif %)'],
    ['[% IF visitor.claims.a %]', '[% FOREACH x IN y %]', '[% END %]'],
    ['<% if visitor.claims.a %>', '<% x.each do |y| %>', '<% end %>'],
    ['{{#if visitor.claims.a}}', '{{#if b}}', '{{/if}}'],
    ['{{#unless visitor.claims.a}}', '{{#unless b}}', '{{/unless}}'],
    ['{{#if visitor.claims.a}}', '{{#if visitor.claims.b}}', '{{/if}}'],
  ])
    hides(
      `FRONT ${opening} SECRET ${inner} SECRET ${end} SECRET ${end} BETWEEN ${opening} SECRET ${end} AFTER\n`,
      ['FRONT', 'BETWEEN', 'AFTER'],
    )
})

test('ends a section at the end of its helper, and not at that of another one', () => {
  for (const [helper, others] of [
    ['if', ['each', 'with', 'unless', 'when']],
    ['unless', ['each', 'if']],
    ['when', ['if', 'each']],
    ['each', ['if', 'with']],
  ] as const)
    for (const other of others) {
      const [opening, end] = [`{{#${helper} visitor.claims.a}}`, `{{/${helper}}}`]
      const inner = `{{#${other} b}}SECRET{{/${other}}}`
      hides(
        `FRONT ${opening} ${inner} SECRET {{else}} SECRET {{else if visitor.claims.b}} SECRET ${end} BETWEEN ${inner.replace('SECRET', 'c')} AFTER\n\n${opening}\n\nSECRET\n\n${inner}\n\nSECRET\n\n${end}\n\nBEHIND\n`,
        ['FRONT', 'BETWEEN', 'AFTER', 'BEHIND'],
      )
      hides(`FRONT ${opening} SECRET ${inner} SECRET\n\nSECRET`, ['FRONT'])
    }
})

test('ends a condition in other brackets behind its "else"', () => {
  for (const inner of [
    '<% else if visitor.claims.b %>SECRET<% loop %>SECRET<% end %>',
    '<% loop %>SECRET<% end %>SECRET<% else if visitor.claims.b %>SECRET',
  ])
    hides(`FRONT <% if visitor.claims.none %>SECRET${inner}SECRET<% end %> AFTER\n`, ['FRONT', 'AFTER'])
})
