import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlText } from './html-source.ts'

test('the end of each block of HTML ends a line of its text', () => {
  for (const name of ['p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th', 'dt', 'dd'])
    assert.equal(htmlText(`<${name}>a</${name}>b`), 'a\nb', name)
  assert.equal(htmlText('a<br>b <b>c</b>d'), 'a\nb cd')
})
