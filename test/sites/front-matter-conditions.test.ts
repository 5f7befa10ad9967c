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
  [`if: ${COND}\n---\n`, true],
  [`---\n\u0456f: ${COND}\n---\n`, true],
  [`---\nif: {{ ${COND} }}\n---\n`, false],
  [`---\nif: [pro]\n---\n`, false],
  [`---\nif: ${COND}\nif: true\n---\n`, false],
]

const world = await createWorld()
const site = await siteForReaders(world, 'Front matter', {
  'README.md':
    '# Welcome\n\nWelcome.\n\n{% include ".gitbook/includes/members.md" %}\n\n{% include ".gitbook/includes/nobody.md" %}\n',
  '.gitbook/includes/members.md': `---\ntitle: Members\nif: ${COND}\n---\n\nMEMBERS\n`,
  '.gitbook/includes/nobody.md': '---\ntitle: Nobody\nif: [pro]\n---\n\nNOBODY\n',
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

test('only readers who meet the condition of a reusable content see it where a page includes it', async () => {
  const pro = bearer({ plan: 'pro', exp: soon() }, site.privateKey)
  for (const path of ['', 'README.md', 'llms-full.txt', '~search?q=MEMBERS', '~search?q=NOBODY']) {
    const [others, members] = [await site.get(path), await site.get(path, pro)]
    assert.doesNotMatch(
      others.text.replaceAll(/q=\w+|value="\w+"/g, ''),
      /<p>(?:MEMBERS|NOBODY)|^(?:MEMBERS|NOBODY)/m,
      path,
    )
    assert.doesNotMatch(members.text, /<p>NOBODY|^NOBODY/m, path)
    if (path === '') assert.match(members.text, /<p>MEMBERS/)
  }
})
