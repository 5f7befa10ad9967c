/** The files of a pushed commit, and where it is in the history of its space. */
import { join } from 'node:path'
import { archiveLimits } from '../core/repository/archive-limits.ts'
import { because } from '../core/languages/reasons.ts'
import type { Problem } from '../core/repository/model.ts'
import { sizeLimit } from '../core/text/byte-size.ts'
import { conflict, invalid } from '../http/errors.ts'
import { PushRefused } from '../imports/pushed.ts'
import { isGitPath } from './git-path.ts'
import type { Quarantine } from './quarantine.ts'
import { renamesBetween } from './renames.ts'

const REVISION = /^Lectern-Revision: (\S+)$/gm

/** A pushed commit. */
export interface ExaminedCommit {
  oid: string
  /** The newest commit of main in its history, and how many newer ones main has. */
  base: string
  behind: number
  /** The revision of that commit. */
  revisionId: string
  /** The subject of its message, or of that of the first of several commits. */
  subject: string
  /** The rest of that message. */
  description: string
}

/** The archives of the files of a commit and of its base. */
export interface ArchivedCommit {
  before: string
  after: string
  paths: string[]
  known: ReadonlySet<string>
  renamed: ReadonlyMap<string, string>
}

/** Finds a commit and its base. @param main the head of main @throws 400, 409, GitFault */
export async function examineCommit({ git }: Quarantine, main: string, oid: string): Promise<ExaminedCommit> {
  const type = (await git(['cat-file', '--batch-check=%(objecttype)'], `${oid}\n`)).trim()
  if (type !== 'commit') throw invalid(because('git-branches-only'))
  // Every object that the commit needs is there.
  await git(['rev-list', '--objects', '--quiet', oid, '--not', '--all'])
  const count = async (...args: string[]) =>
    Number(await git(['rev-list', '--count', '--first-parent', main, ...args]))
  const behind = await count(`^${oid}`)
  if (behind > 0 && behind === (await count())) throw conflict(because('git-history-unrelated'))
  const base = (await git(['rev-parse', '--verify', `${main}~${behind}`])).trim()
  const [own = ''] = [...(await git(['log', '-1', '--format=%B', base])).matchAll(REVISION)]
    .slice(-1)
    .map(([, id]) => id)
  const message = await git(['log', '--no-merges', '--reverse', '--format=%B%x00', oid, `^${base}`])
  const [subject = '', ...rest] = (message.split('\0', 1)[0] ?? '').trim().split('\n')
  return { oid, base, behind, revisionId: own, subject: subject.trim(), description: rest.join('\n').trim() }
}

/**
 * Writes the files of a commit and those of its base to the quarantine.
 * @throws PushRefused for files that no space has, 400 for more than an archive may have
 */
export async function archiveCommit(
  { folder, git, gitToFile }: Quarantine,
  { oid, base }: ExaminedCommit,
): Promise<ArchivedCommit> {
  const paths = checkFiles(await git(['ls-tree', '-r', '-z', '-l', '--full-tree', oid]))
  const known = new Set((await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', base])).split('\0'))
  const renamed = await renamesBetween(git, base, oid)
  const archive = async (name: string, tree: string) => {
    const file = join(folder, name)
    await gitToFile(['archive', '--format=zip', '-0', tree], file)
    return file
  }
  return {
    before: await archive('before.zip', base),
    after: await archive('after.zip', oid),
    paths,
    known,
    renamed,
  }
}

/** @param listed what `git ls-tree -r -z -l` prints @returns the paths */
function checkFiles(listed: string): string[] {
  const limits = archiveLimits()
  const files = listed.split('\0').filter((line) => line !== '')
  if (files.length > limits.entries)
    throw invalid(because('archive-too-many-entries', { limit: limits.entries }))
  const problems: Problem[] = []
  const paths: string[] = []
  let total = 0
  for (const line of files) {
    const tab = line.indexOf('\t')
    const [mode = '', , , bytes = ''] = line.slice(0, tab).split(/ +/)
    const path = line.slice(tab + 1)
    const size = Number(bytes) || 0
    total += size
    if (!mode.startsWith('100')) problems.push({ path, ...because('git-not-plain-file') })
    else if (!isGitPath(path) || path.includes('\ufffd'))
      problems.push({ path, ...because('git-path-refused') })
    if (size > limits.fileBytes)
      throw invalid(because('archive-file-too-large', { path, limit: sizeLimit(limits.fileBytes) }))
    if (total > limits.bytes)
      throw invalid(because('archive-too-large', { path, limit: sizeLimit(limits.bytes) }))
    paths.push(path)
  }
  if (problems.length > 0) throw new PushRefused(problems)
  return paths
}

const BRANCH = /^[\p{L}\p{N}_][\p{L}\p{N}_.+#@-]{0,99}$/u

/** Whether a branch can have a name: git accepts it, and so does every file system. */
export function isBranchName(name: string): boolean {
  const parts = name.split('/')
  if (Buffer.byteLength(name) > 200 || name === 'HEAD' || !name.isWellFormed()) return false
  return parts.every(
    (part) =>
      BRANCH.test(part) && !part.includes('..') && !part.includes('@{') && !/(?:\.lock|\.)$/i.test(part),
  )
}
