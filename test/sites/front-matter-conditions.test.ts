/** Pages whose front matter has a condition that YAML reads as something else, or that is none, on a site. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { bearer, soon } from './reader-table.ts'
import { siteForReaders } from './reading.ts'

const COND = 'visitor.claims.plan == "pro"'
/** The beginnings of pages, and whether readers who meet the condition see them. */
const PAGES: [front: string, forPro: boolean][] = [
  [`---\nif: ["pro","team"].includes(visitor.claims.plan)\n---\n`, true],
  [`---\ndescription: Note: this: x\nif: ${COND}\n---\n`, true],
  [`---\nIf: ${COND}\n---\n`, true],
  [`----\nif: ${COND}\n----\n`, true],
  [`---\nif: {{ ${COND} }}\n---\n`, false],
  [`---\nif: [pro]\n---\n`, false],
  [`---\nif: ${COND}\nif: true\n---\n`, false],
]

const world = await createWorld()
const site = await siteForReaders(world, 'Front matter', {
  'README.md': '# Welcome\n\nWelcome.\n',
  'SUMMARY.md': `# Summary\n\n* [Welcome](README.md)\n${PAGES.map((_, n) => `* [Page ${n}](page-${n}.md)`).join('\n')}\n`,
  ...Object.fromEntries(PAGES.map(([front], n) => [`page-${n}.md`, `${front}\n# Page ${n}\n\nSECRET${n}\n`])),
})

test('only readers who meet such a condition see the page', async () => {
  const pro = bearer({ plan: 'pro', exp: soon() }, site.privateKey)
  for (const [n, [front, forPro]] of PAGES.entries()) {
    for (const path of [`page-${n}`, `page-${n}.md`, 'llms-full.txt']) {
      assert.doesNotMatch((await site.get(path)).text, new RegExp(`SECRET${n}`), front)
      assert.equal((await site.get(path, pro)).text.includes(`SECRET${n}`), forPro, front)
    }
  }
})
