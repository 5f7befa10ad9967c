/** `lectern export --git` and `--archive`. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, test } from 'node:test'
import { onlyLong } from './effort.ts'
import { createRepository } from './git-repository.ts'
import { contentAt } from './imports/syncing.ts'
import { unzip } from './imports/zip.ts'
import { runHere, temporaryFolder } from './process.ts'
import { createWorld } from './world.ts'

const folder = temporaryFolder()
after(() => folder.remove())
const world = await createWorld()
const { ada, organizationId } = world
const connection = ['--url', world.url, '--token', ada.token]
const env = { LECTERN_DATA: folder.path }
const at = (spaceId: string) => `/v1/spaces/${spaceId}`

const exporting = (...args: string[]) => runHere(['export', ...args, ...connection], env)

async function importing(...args: string[]) {
  const ended = await runHere(['import', ...args, '--no-site', '--allow-loss', ...connection], env)
  assert.equal(ended.code, 0, ended.err)
  return { ...ended, spaceId: /spaces\/(\w+)/.exec(ended.out)?.[1] ?? '' }
}

async function edit(spaceId: string, title: string, markdown: string) {
  await ada(`PATCH ${at(spaceId)}`, { editMode: 'live' })
  const page = (await contentAt(world, at(spaceId))).pages.find((one) => one.title === title)
  const change = page
    ? { operation: 'update_page', page: page.id, document: { markdown } }
    : { operation: 'insert_page', title, document: { markdown } }
  const answer = await ada(`POST ${at(spaceId)}/content`, { changes: [change] })
  assert.equal(answer.status, 200, answer.text)
}

const FILES = {
  'docs/.gitbook.yaml': '# Settings\nroot: ./pages/\n\nredirects:\n  old: a.md\n',
  'docs/pages/SUMMARY.md': '# Contents\n\n<!-- kept -->\n- [Home](./README.md)\n- [A](a.md)\n- [B](b.md)\n',
  'docs/pages/README.md': '\uFEFF# Home\n',
  'docs/pages/a.md': '# A\n\nOne.\n\nTwo.\n',
  'docs/pages/b.md': '# B\n',
  'docs/pages/draft.md': '# Draft\n',
  'docs/script.sh': 'exit\n',
  LICENSE: 'Free\n',
}

test('an export is one commit, and loses nothing that the space does not know', async () => {
  const repository = createRepository(join(folder.path, 'one'))
  const start = repository.commit(FILES)
  const { spaceId } = await importing(repository.url, '--path', 'docs')
  const git = ['--git', repository.url, '--path', 'docs']

  const first = await exporting(spaceId, ...git)
  assert.equal(first.code, 0, first.err)
  assert.match(first.out, /Nothing to push/)
  assert.equal(repository.git('rev-parse', 'main').trim(), start)

  await edit(spaceId, 'A', '# A\n\nOne, edited.\n\nTwo.\n')
  await edit(spaceId, 'New', '# New\n')
  const { pages } = await contentAt(world, at(spaceId))
  const removed = await ada(`POST ${at(spaceId)}/content`, {
    changes: [{ operation: 'delete_page', page: pages.find(({ title }) => title === 'B')!.id }],
  })
  assert.equal(removed.status, 200, removed.text)
  const second = await exporting(spaceId, ...git, '--message', 'From the space')
  assert.equal(second.code, 0, second.err)
  assert.equal(repository.git('log', '-1', '--format=%s %P').trim(), `From the space ${start}`)
  const { 'docs/pages/b.md': _b, 'docs/pages/SUMMARY.md': _summary, ...rest } = FILES
  const files = repository.files()
  assert.deepEqual(files, {
    ...rest,
    'docs/pages/a.md': '# A\n\nOne, edited.\n\nTwo.\n',
    'docs/new.md': '# New\n',
    'docs/pages/SUMMARY.md':
      '# Contents\n\n<!-- kept -->\n- [Home](./README.md)\n- [A](a.md)\n- [New](../new.md)\n',
  })

  assert.match((await exporting(spaceId, ...git)).out, /Nothing to push/)
  const { revision } = await contentAt(world, at(spaceId))
  assert.match((await importing(repository.url, '--path', 'docs')).out, /0 created, 0 changed, 0 deleted/)
  assert.equal((await contentAt(world, at(spaceId))).revision, revision)
})

test('commits that the space has not seen are not overwritten', async () => {
  const repository = createRepository(join(folder.path, 'two'))
  repository.commit(FILES)
  const { spaceId } = await importing(repository.url, '--path', 'docs')
  const git = ['--git', repository.url, '--path', 'docs']
  await edit(spaceId, 'A', '# A\n\nOne.\n\nTwo, edited.\n')
  repository.commit({ 'docs/pages/a.md': '# A\n\nOne, there.\n\nTwo.\n' })
  const refused = await exporting(spaceId, ...git)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /has not seen.*lectern import .*--path docs --space \w+ --sync.*--force/)

  await importing(repository.url, '--path', 'docs')
  const merged = await exporting(spaceId, ...git)
  assert.equal(merged.code, 0, merged.err)
  assert.equal(repository.files()['docs/pages/a.md'], '# A\n\nOne, there.\n\nTwo, edited.\n')

  // Commits elsewhere change nothing that the space has.
  repository.commit({ LICENSE: 'Other\n' })
  await edit(spaceId, 'B', '# B\n\nEdited.\n')
  const elsewhere = await exporting(spaceId, ...git)
  assert.equal(elsewhere.code, 0, elsewhere.err)
  assert.equal(repository.files().LICENSE, 'Other\n')

  await edit(spaceId, 'B', '# B\n\nForced.\n')
  repository.commit({ 'docs/pages/b.md': '# B\n\nLost.\n' })
  const forced = await exporting(spaceId, ...git, '--force')
  assert.equal(forced.code, 0, forced.err)
  assert.equal(repository.files()['docs/pages/b.md'], '# B\n\nForced.\n')
})

test('a branch that is missing begins, also in an empty repository', onlyLong, async () => {
  const bare = join(folder.path, 'bare.git')
  execFileSync('git', ['init', '--bare', '--quiet', '--initial-branch=main', bare])
  const url = pathToFileURL(bare).href
  const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'New', editMode: 'live' })
  await edit(body.id, 'Home', '# Home\n')
  const first = await exporting(body.id, '--git', url)
  assert.equal(first.code, 0, first.err)
  const show = (name: string) => execFileSync('git', ['-C', bare, 'show', name], { encoding: 'utf8' })
  assert.equal(show('main:home.md'), '# Home\n')
  assert.match(show('main:SUMMARY.md'), /\* \[Home\]\(home\.md\)/)

  await edit(body.id, 'Home', '# Home\n\nMore.\n')
  const other = await exporting(body.id, '--git', url, '--branch', 'docs/next')
  assert.equal(other.code, 0, other.err)
  assert.equal(show('docs/next:home.md'), '# Home\n\nMore.\n')
  assert.equal(show('main:home.md'), '# Home\n')
})

test('a file that is not documentation is not overwritten, nor hidden by one', async () => {
  const repository = createRepository(join(folder.path, 'three'))
  repository.commit({ 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': '# Home\n', 'notes.md': 'Mine\n' })
  const { spaceId } = await importing(repository.url)
  await edit(spaceId, 'Notes', '# Notes\n')
  const { code, err } = await exporting(spaceId, '--git', repository.url)
  assert.equal(code, 1)
  assert.match(err, /"notes\.md".*--force/)
  assert.equal(repository.files()['notes.md'], 'Mine\n')
})

test('a push that is refused says why', onlyLong, async () => {
  const repository = createRepository(join(folder.path, 'four'))
  repository.commit({ 'README.md': '# Home\n' })
  const { spaceId } = await importing(repository.url)
  await edit(spaceId, 'Home', '# Home\n\nEdited.\n')
  repository.git('config', 'receive.denyCurrentBranch', 'refuse')
  const { code, err } = await exporting(spaceId, '--git', repository.url)
  assert.equal(code, 1)
  assert.match(err, /refusing to update checked out branch/)
})

test('an export begins again if somebody pushes meanwhile', async () => {
  const repository = createRepository(join(folder.path, 'five'))
  repository.commit({ 'docs/README.md': '# Home\n', LICENSE: 'Free\n' })
  const { spaceId } = await importing(repository.url, '--path', 'docs')
  await edit(spaceId, 'Home', '# Home\n\nEdited.\n')
  repository.git('checkout', '--quiet', '-b', 'other')
  const other = repository.commit({ LICENSE: 'Other\n' })
  // Somebody else is faster, once.
  const hook = join(repository.folder, '.git/hooks/update')
  writeFileSync(hook, `#!/bin/sh\nrm "$0"\ngit update-ref refs/heads/main ${other}\n`, { mode: 0o755 })
  const { code, err } = await exporting(
    spaceId,
    '--git',
    repository.url,
    '--path',
    'docs',
    '--branch',
    'main',
  )
  assert.equal(code, 0, err)
  assert.equal(repository.git('rev-parse', 'main^').trim(), other)
  assert.equal(repository.git('show', 'main:docs/README.md'), '# Home\n\nEdited.\n')
  assert.equal(repository.git('show', 'main:LICENSE'), 'Other\n')
})

test('an archive is saved, and wrong options are explained', async () => {
  const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'New', editMode: 'live' })
  await edit(body.id, 'Home', '# Home\n')
  const file = join(folder.path, 'space.zip')
  const saved = await exporting(body.id, '--archive', file)
  assert.equal(saved.code, 0, saved.err)
  assert.equal(Buffer.from(unzip(readFileSync(file)).get('home.md')!).toString(), '# Home\n')

  writeFileSync(join(folder.path, 'x'), '')
  for (const [args, message] of [
    [['--archive', file, '--pdf', 'a.pdf'], /Name one file/],
    [['--archive', file, '--page', 'x'], /--page is for --pdf and --epub/],
    [['--pdf', file, '--branch', 'x'], /--branch is for --git/],
    [['--git', folder.path], /--git must be the address/],
    [['--git', `file://${folder.path}/none`], /does not (?:exist|appear)/],
  ] as const) {
    const { code, err } = await exporting(body.id, ...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(err, message)
    assert.doesNotMatch(err, /\n {4}at /)
  }
})

test('an export does not replace the pages of a tool that an import converts', async () => {
  const files = {
    'docusaurus.config.js': 'export default { title: "Acme" }\n',
    'docs/intro.md': '---\nid: intro\n---\n\n# Intro\n\n:::note\n\nKept.\n\n:::\n',
  }
  const repository = createRepository(join(folder.path, 'converted'))
  repository.commit(files)
  const converted = await importing(repository.url)
  assert.match(converted.out, /Recognized Docusaurus by docusaurus\.config\.js/)
  const git = ['--git', repository.url]
  const refused = await exporting(converted.spaceId, ...git)
  assert.equal(refused.code, 1, refused.err)
  assert.match(refused.err, /docusaurus\.config\.js shows that the repository is a project of Docusaurus/)
  assert.match((await exporting(converted.spaceId, ...git, '--source', 'zip')).err, /can only be markdown/)

  // A file of settings of these tools is a mark only if its text says so.
  for (const [path, text, name] of [
    ['docs.json', '{ "name": "Acme", "navigation": { "pages": ["docs/intro"] } }\n', 'Mintlify'],
    ['docs/conf.py', "project = 'Acme'\nextensions = ['myst_parser']\n", 'Sphinx'],
    ['docs/toc.yml', '- name: Intro\n  href: intro.md\n', 'DocFX'],
    ['astro.config.mjs', "import starlight from '@astrojs/starlight'\n", 'Starlight'],
  ] as const) {
    const other = createRepository(join(folder.path, `converted-${name}`))
    other.commit({ [path]: text, 'docs/intro.md': '# Intro\n' })
    const { code, err } = await exporting(converted.spaceId, '--git', other.url)
    assert.equal(code, 1, name)
    assert.match(err, new RegExp(`${path} shows that the repository is a project of ${name},`))
  }

  const { spaceId } = await importing(repository.url, '--source', 'markdown', '--new')
  await edit(spaceId, 'More', 'Added.')
  const pushed = await exporting(spaceId, ...git, '--source', 'markdown')
  assert.equal(pushed.code, 0, pushed.err)
  const shown = execFileSync('git', ['show', 'HEAD:docs/intro.md'], {
    cwd: join(folder.path, 'converted'),
    encoding: 'utf8',
  })
  assert.equal(shown, files['docs/intro.md'])
})
