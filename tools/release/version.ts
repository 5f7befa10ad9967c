/** Where a version is written, and in which order versions are. */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSION_PATTERN = /^(\d+)\.(\d+)\.(\d+)$/

/** Why a version cannot be released; undefined if it can. @param tags such as `v1.2.3` */
export function checkVersion(version: string, current: string, tags: readonly string[]): string | undefined {
  if (!VERSION_PATTERN.test(version)) return `"${version}" is not a version such as 1.2.3`
  if (tags.includes(`v${version}`)) return `The tag v${version} exists already`
  const newest = tags
    .map((tag) => tag.slice(1))
    .filter((tag) => VERSION_PATTERN.test(tag))
    .toSorted(compareVersions)
    .at(-1)
  if (newest !== undefined && compareVersions(version, newest) < 0)
    return `Version ${version} is older than ${newest}, which is released`
  if (compareVersions(version, current) < 0)
    return `Version ${version} is older than ${current} in package.json`
  return undefined
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => VERSION_PATTERN.exec(one)?.slice(1).map(Number) ?? [])
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The changelog in which the unreleased entries have the heading of a version; undefined if there are no entries. */
export function releasedChangelog(text: string, version: string, date: string): string | undefined {
  const [, before, entries = '', after] = /^([^]*?\n## Unreleased\n)([^]*?)(\n## [^]*)?$/.exec(text) ?? []
  if (before === undefined || !/^- /m.test(entries)) return undefined
  // The sentence that introduces the first release.
  const listed = entries.replace(/^\nNothing has been released yet.*\n/m, '')
  return `${before}\n## ${version} – ${date}\n${listed}${after ?? ''}`
}

/** Writes a version into every file that names the released one: manifests, and the README, manual and files in `deploy`. */
export function writeVersions(root: string, version: string): void {
  replaceIn(join(root, 'package.json'), /^(  "version": ")[^"]+/m, version)
  // The first two versions of a lock file are those of the package itself.
  replaceIn(join(root, 'package-lock.json'), /^(  "version": ")[^"]+/m, version)
  replaceIn(join(root, 'package-lock.json'), /(\n    "": \{\n[^}]*?"version": ")[^"]+/, version)
  for (const chart of globSync('deploy/**/Chart.yaml', { cwd: root })) {
    replaceIn(join(root, chart), /^(version: ).*$/m, version)
    replaceIn(join(root, chart), /^(appVersion: ).*$/m, `'${version}'`)
  }
  for (const file of globSync('{Dockerfile,deploy/**/Dockerfile}', { cwd: root }))
    replaceIn(join(root, file), /^(ARG (?:LECTERN_)?VERSION=).*$/m, version)
  // The package is lectern-1.2.3.tgz, and the image lectern:1.2.3.
  for (const file of globSync('{README.md,docs/*.md,deploy/**/*}', { cwd: root }))
    if (statSync(join(root, file)).isFile())
      replaceIn(join(root, file), /\b(lectern[-:])\d+\.\d+\.\d+\b/g, version)
}

/** Replaces what follows the first group of a pattern. */
function replaceIn(path: string, pattern: RegExp, version: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(pattern, (_, start: string) => start + version),
  )
}
