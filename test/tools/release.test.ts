/** `npm run release` in a clone of this checkout. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { billWith } from '../../tools/release/bill.ts'
import { checkVersion, releasedChangelog } from '../../tools/release/version.ts'
import { temporaryFolder } from '../process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = temporaryFolder()
after(folder.remove)
const clone = join(folder.path, 'clone')
const QUICK = ['--without-checks', '--without-tests', '--without-databases', '--without-package']
const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim()
const read = (name: string) => readFileSync(join(clone, name), 'utf8')

/** What the release needs of the checkout as it is now, in a new repository. */
before(() => {
  mkdirSync(clone)
  for (const name of [
    'tools/release',
    'src/db/migrations',
    'deploy',
    'docs',
    'test/releases',
    '.gitignore',
    'README.md',
    'package.json',
    'package-lock.json',
  ])
    cpSync(join(ROOT, name), join(clone, name), { recursive: true })
  writeFileSync(join(clone, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something new\n')
  git('init', '--quiet')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'Begin')
})

function release(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/release/release.ts', ...args], {
    cwd: clone,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

test('refuses a dirty tree, no version, and one that is not newer', () => {
  assert.match(release().err, /npm run release -- <version>/)
  assert.match(release('0.0.9', ...QUICK).err, /^Version 0\.0\.9 is older than \d/)
  assert.match(release('next', ...QUICK).err, /"next" is not a version such as 1\.2\.3/)
  appendFileSync(join(clone, 'CHANGELOG.md'), '\n')
  const { code, err } = release('99.1.0', ...QUICK)
  git('checkout', '--quiet', 'CHANGELOG.md')
  assert.equal(code, 1)
  assert.match(err, /The working tree has changes.*\n.*CHANGELOG\.md/)
})

test('a dry run changes nothing', () => {
  const { code, out, err } = release('99.1.0', '--dry-run', ...QUICK)
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /Dry run: version 99\.1\.0 of \d{4}-\d\d-\d\d could be released/)
  assert.deepEqual([git('status', '--porcelain'), git('tag'), git('log', '--format=%s')], ['', '', 'Begin'])
})

test('a release is committed, tagged and has its files', () => {
  const { code, err } = release('99.1.0', ...QUICK)
  assert.equal(code, 0, err)
  assert.deepEqual(
    [git('status', '--porcelain'), git('log', '-1', '--format=%s')],
    ['', 'Release: version 99.1.0'],
  )
  assert.equal(git('rev-parse', 'v99.1.0^{commit}'), git('rev-parse', 'HEAD'))
  assert.match(read('CHANGELOG.md'), /## Unreleased\n\n## 99\.1\.0 – \d{4}-\d\d-\d\d\n\n/)
  assert.equal((JSON.parse(read('package.json')) as { version: string }).version, '99.1.0')
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string
    packages: Record<string, { version: string }>
  }
  assert.deepEqual([lock.version, lock.packages['']?.version], ['99.1.0', '99.1.0'])
  assert.match(read('deploy/helm/lectern/Chart.yaml'), /^version: 99\.1\.0\nappVersion: '99\.1\.0'$/m)
  assert.match(read('deploy/Dockerfile'), /^ARG VERSION=99\.1\.0$/m)
  assert.deepEqual(
    (JSON.parse(read('test/releases/migrations.json')) as { unreleased: object }).unreleased,
    {},
  )

  const files = join(clone, 'release/99.1.0')
  assert.deepEqual(readdirSync(files).toSorted(), [
    'SHA256SUMS',
    'lectern-99.1.0-sources.tar.gz',
    'lectern-99.1.0.provenance.json',
  ])
  for (const [, digest, name = ''] of read('release/99.1.0/SHA256SUMS').matchAll(/^(\w{64}) {2}(.+)$/gm))
    assert.equal(
      createHash('sha256')
        .update(readFileSync(join(files, name)))
        .digest('hex'),
      digest,
    )
  const { subject, predicate } = JSON.parse(read('release/99.1.0/lectern-99.1.0.provenance.json')) as {
    subject: { name: string }[]
    predicate: { buildDefinition: { resolvedDependencies: object[]; externalParameters: object } }
  }
  assert.deepEqual(
    subject.map(({ name }) => name),
    ['lectern-99.1.0-sources.tar.gz'],
  )
  assert.deepEqual(predicate.buildDefinition.resolvedDependencies, [
    { name: 'lectern', digest: { gitCommit: git('rev-parse', 'HEAD') } },
  ])
  assert.match(JSON.stringify(predicate.buildDefinition.externalParameters), /without-tests/)
  // There is nothing new, and the version is taken.
  assert.match(release('99.1.0', ...QUICK).err, /The tag v99\.1\.0 exists already/)
  assert.match(release('99.0.0', ...QUICK).err, /older than 99\.1\.0, which is released/)
  assert.match(release('99.2.0', ...QUICK).err, /no entries below "## Unreleased"/)
})

test('after a release, nothing that is installed or read names the version before', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const named = new RegExp(`(?<![\\d.])${RegExp.escape(version)}(?![\\d.]*\\d)`)
  const folders = readdirSync(join(clone, 'deploy'), {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  })
  const files = [
    'README.md',
    ...folders.filter((one) => one.isFile()).map((one) => relative(clone, join(one.parentPath, one.name))),
    ...readdirSync(join(clone, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  ]
  for (const file of ['README.md', 'deploy/compose/.env.example', 'docs/installing.md', 'docs/operation.md'])
    assert(files.includes(file), file)
  const old = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line) => (named.test(line) ? [`${file}: ${line}`] : [])),
  )
  assert.deepEqual(old, [])
  const names = files.flatMap((file) => read(file).match(/\blectern[-:]\d+\.\d+\.\d+/g) ?? [])
  assert(names.length > 12)
  assert.deepEqual(new Set(names), new Set(['lectern-99.1.0', 'lectern:99.1.0']))
})

test('the bill of materials has what the package contains, and its own name', () => {
  const component = (name: string, scope = 'required') => ({ 'bom-ref': `${name}@1`, name, scope })
  const bill = {
    metadata: { component: { 'bom-ref': 'lectern@1', name: 'the-folder' } },
    components: [component('fastify')],
    dependencies: [{ ref: 'lectern@1', dependsOn: ['fastify@1'] }],
  }
  const all = {
    ...bill,
    components: [...bill.components, component('inter', 'optional'), component('esbuild')],
  }
  assert.deepEqual(billWith(bill, all, ['inter', 'fastify', 'inter']), {
    metadata: { component: { 'bom-ref': 'lectern@1', name: 'lectern' } },
    components: [component('fastify'), component('inter')],
    dependencies: [
      { ref: 'lectern@1', dependsOn: ['fastify@1', 'inter@1'] },
      { ref: 'inter@1', dependsOn: [] },
    ],
  })
  assert.throws(() => billWith(bill, all, ['unknown']), /contains unknown/)
})

test('orders versions by their numbers, and keeps earlier entries of the changelog', () => {
  assert.equal(checkVersion('0.10.0', '0.9.0', ['v0.9.0', 'v0.2.0']), undefined)
  assert.match(checkVersion('0.9.1', '0.9.0', ['v0.10.0'])!, /older than 0\.10\.0/)
  const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n- B\n\n## 0.1.0 – 2026-01-01\n\n- A\n'
  assert.equal(
    releasedChangelog(text, '0.2.0', '2026-02-02'),
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 – 2026-02-02\n\n### Added\n\n- B\n\n## 0.1.0 – 2026-01-01\n\n- A\n',
  )
  assert.equal(releasedChangelog('# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- A\n', '0.2.0', ''), undefined)
})
