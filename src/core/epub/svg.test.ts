import assert from 'node:assert/strict'
import test from 'node:test'
import { cleanSvg } from './svg.ts'

/** The content of a drawing after it is cleaned. */
function cleaned(content: string): string | undefined {
  return /<svg xmlns="[^"]*" xmlns:xlink="[^"]*">([^]*)<\/svg>\n$/.exec(
    cleanSvg(`<svg>${content}</svg>`) ?? '',
  )?.[1]
}

test('keeps what draws', () => {
  for (const content of [
    '<path d="M0 0"/>',
    '<g fill="url(#a)"><text xml:space="preserve">a &lt; b</text></g>',
    '<use xlink:href="#a"/>',
    '<image href="data:image/png;base64,AAAA"/>',
    '<style>path { fill: red }</style>',
  ])
    assert.equal(cleaned(content), content)
})

test('removes what runs or loads something', () => {
  const cases: [content: string, expected: string][] = [
    ['<script>a()</script>b', 'b'],
    ['<SCRIPT/>b', 'b'],
    ['<g onclick="a()" ONLOAD="b()"/>', '<g/>'],
    ['<foreignObject><p>a<script/></p></foreignObject>b', 'b'],
    ['<image href="https://a.org/b.png"/>', ''],
    ['<image href="/etc/passwd"/>', ''],
    ['<use xlink:href="b.svg#c"/>', ''],
    ['<a href="javascript:b()">c</a>', '<a>c</a>'],
    ['<set attributeName="href" to="https://a.org"/>', ''],
    ['<g style="fill: url( https://a.org ); color: red"/>', '<g style="fill: none; color: red"/>'],
    ['<g fill="u\\rl(//a.org)"/>', '<g fill="none"/>'],
    ['<style>@import "https://a.org"; a {}</style>', '<style> a {}</style>'],
    ['<style><![CDATA[a { b: url("//c.org") }]]></style>', '<style>a { b: none }</style>'],
    ['<!-- a --><?b c?><sodipodi:d e:f="g"><path/></sodipodi:d>h', 'h'],
    ['<g xmlns:x="y" x:z="1" inkscape:label="a"/>', '<g/>'],
  ]
  for (const [content, expected] of cases) assert.equal(cleaned(content), expected, content)
})

test('takes only one well-formed drawing', () => {
  for (const source of [
    '',
    'text',
    '<html/>',
    '<svg>',
    '<svg></g></svg>',
    '<svg/><svg/>',
    '<svg/>text',
    '<svg a=b/>',
    '<svg a="1" a="2"/>',
    '<svg>&nbsp;</svg>',
    '<svg>&</svg>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>',
    `${'<svg>'.repeat(600)}${'</svg>'.repeat(600)}`,
  ])
    assert.equal(cleanSvg(source), undefined, source.slice(0, 50))
  assert.ok(cleanSvg('\ufeff<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg/>'))
})
