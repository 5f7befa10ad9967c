/** What `lectern import` reports on the terminal and in files. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { archiveOf } from './importing.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const world = await createWorld()
const connection = ['--no-site', '--url', world.url, '--token', world.ada.token]
const importing = (...args: string[]) =>
  runHere(['import', ...args, ...connection], { LECTERN_DATA: folder.path })

const archive = join(folder.path, 'faulty.zip')
writeFileSync(
  archive,
  archiveOf({
    'SUMMARY.md': '* [Home](README.md)\n* [Gone](gone.md)\n',
    'README.md': `# Home\n\n${[1, 2, 3, 4, 5].map((n) => `![](${n}.png)\n\n`).join('')}[lost](#lost) [none](none.md)\n\n\`a\` <Card>*b*</Card>\n`,
    'draft.md': '# Draft\n',
  }),
)

test('the command prints a line for each kind of problem, with its number and three examples', async () => {
  const { code, out, err } = await importing(archive)
  assert.equal(code, 3, err)
  assert.deepEqual(out.split('\n').slice(0, -4), [
    'Imported 1 page',
    'Pages  2 created, 0 changed, 0 deleted',
    'Problems  1 left out, 1 not shown as intended, 8 missing or broken',
    '  1 page of the table of contents is missing',
    '      SUMMARY.md:2  gone.md',
    '  5 pictures and files are missing',
    '      README.md:3  1.png',
    '      README.md:5  2.png',
    '      README.md:7  3.png',
    '  1 part of a page cannot be shown',
    '      README.md:15: the component <Card> is not shown, only the text in it',
    '  1 link is broken',
    '      README.md:13  none.md',
    '  1 link names a part that its page does not have',
    '      README.md:13  #lost',
    '  1 page or folder of pages is in no table of contents, and is not imported',
    '      draft.md',
    '  and 2 more; --report <file> writes all of them',
  ])
  assert.match(
    out,
    /\nContent was left out or is shown as its source: exit code 3 \(0 with --allow-loss\)\n$/,
  )
  assert.doesNotMatch(out, /fail|error/i)
})

test('the exit code is 3 if content was left out or is shown as its source, and 0 with --allow-loss', async () => {
  const summary = { 'SUMMARY.md': '* [Home](README.md)\n' }
  const losses: Record<string, Record<string, string>> = {
    'a page in no table of contents': { ...summary, 'README.md': '# Home\n', 'draft.md': '# Draft\n' },
    'a page of MDX': { 'README.md': '# Home\n', 'draft.mdx': '# Draft\n' },
    'a component': { 'README.md': '# Home\n\n<Card>*b*</Card>\n' },
    'a redirect': { 'README.md': '# Home\n', '.gitbook.yaml': 'redirects:\n  a: gone.md\n' },
  }
  const kept: Record<string, Record<string, string>> = {
    'a picture that nobody has': { 'README.md': '# Home\n\n![](gone.png)\n' },
    'a broken link': { 'README.md': '# Home\n\n[gone](gone.md)\n' },
    'a page listed twice': {
      'SUMMARY.md': '* [Home](README.md)\n* [Again](README.md)\n',
      'README.md': '# Home',
    },
  }
  const file = join(folder.path, 'loss.zip')
  const codeOf = async (files: Record<string, string>, ...args: string[]) => {
    writeFileSync(file, archiveOf(files))
    return (await importing(file, '--new', ...args)).code
  }
  for (const [name, files] of Object.entries(losses)) {
    assert.equal(await codeOf(files), 3, name)
    assert.equal(await codeOf(files, '--allow-loss'), 0, name)
  }
  for (const [name, files] of Object.entries(kept)) assert.equal(await codeOf(files), 0, name)
})

test('the command names what conditions hide, with file and line, and succeeds', async () => {
  const file = join(folder.path, 'conditions.zip')
  writeFileSync(
    file,
    archiveOf({
      'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n',
      'README.md':
        '# Home\n\n{%- if visitor.claims.a -%}\n\nSecret\n\n{% endif %}\n\n{% if a b %}Secret{% endif %}\n',
      'guide.md':
        '---\ndescription: "{% if a %}Secret"\n---\n\n# Guide\n\n- {% if visitor.claims.a %}\n\nSecret\n',
    }),
  )
  const report = join(folder.path, 'conditions.json')
  const { code, out, err } = await importing(file, '--report', report)
  assert.deepEqual([code, err], [0, ''])
  const lines = out.split('\n')
  const first = lines.indexOf('  4 conditions hide more than their authors may have meant')
  assert.notEqual(first, -1, out)
  assert.match(lines[first + 1]!, /^ {6}README\.md:3: "\{%- if visitor\.claims\.a -%\}" is no condition, /)
  assert.match(lines[first + 2]!, /^ {6}README\.md:9: "\{% if a b %\}" is not a valid condition, /)
  assert.match(lines[first + 3]!, /^ {6}guide\.md:2: "description" of the front matter has /)
  const { problems } = JSON.parse(readFileSync(report, 'utf8')) as {
    problems: { path: string; line: number; message: string }[]
  }
  assert.deepEqual(
    problems.map(({ path, line }) => `${path}:${line}`),
    ['README.md:3', 'README.md:9', 'guide.md:2', 'guide.md:7'],
  )
  assert.match(problems[3]!.message, /has no "\{% endif %\}", so the rest of the page is hidden/)
})

test('--report writes all problems as JSON or as Markdown', async () => {
  const json = join(folder.path, 'report.json')
  const written = await importing(archive, '--report', json)
  assert.equal(written.code, 3, written.err)
  assert.doesNotMatch(written.out, /and 2 more/)
  const report = JSON.parse(readFileSync(json, 'utf8')) as {
    version: number
    source: string
    spaces: { id: string; imported: number }[]
    counts: Record<string, number>
    problems: Record<string, unknown>[]
  }
  assert.deepEqual([report.version, report.source, report.spaces[0]?.imported], [1, 'faulty.zip', 1])
  assert.deepEqual(report.counts, {
    'missing-page': 1,
    'missing-file': 5,
    block: 1,
    'broken-link': 1,
    'broken-anchor': 1,
    'unlisted-page': 1,
  })
  assert.deepEqual(report.problems.at(5), {
    kind: 'missing-file',
    path: 'README.md',
    line: 11,
    address: '5.png',
    message: 'refers to "5.png", which is not in the repository',
    reason: 'reference-not-in-repository',
    parameters: { path: '5.png' },
  })
  assert.equal(report.problems.length, 10)

  const markdown = join(folder.path, 'report.md')
  await importing(archive, '--report', markdown)
  const text = readFileSync(markdown, 'utf8')
  assert.match(text, /^# Import of faulty\.zip\n\n\* 1 page: <http/)
  assert.match(text, /\n## 5 pictures and files are missing\n\n\* `README\.md:3` `1\.png`: refers to/)
  assert.match(text, /\n\* `README\.md:15`: the component \\<Card\\> is not shown/)
  assert.equal(text.match(/^\* `/gm)?.length, 10)
})

test('a report that cannot be written is refused before anything is imported', async () => {
  mkdirSync(join(folder.path, 'reports'), { recursive: true })
  const spaces = async () =>
    (await world.ada(`GET /v1/orgs/${world.organizationId}/spaces?limit=1`)).body.count as number
  const before = await spaces()
  for (const [file, message] of [
    [join(folder.path, 'report.txt'), /--report writes a file that ends in \.json or \.md/],
    [join(folder.path, 'none/report.md'), /--report: there is no folder/],
  ] as const) {
    const { code, err } = await importing(archive, '--new', '--report', file)
    assert.equal(code, 1)
    assert.match(err, message)
  }
  assert.equal(await spaces(), before)
})

test('names of files cannot control the terminal', async () => {
  const page = join(folder.path, 'hostile.zip')
  writeFileSync(page, archiveOf({ 'README.md': '# Home\n\n[x](<\u001b[2Ja.md>)\n' }))
  const { out } = await importing(page)
  assert.match(out, /1 link is broken/)
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(out, /\u001b/)
})
