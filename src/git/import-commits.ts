/** Writes commits to a repository, as the input of `git fast-import`. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Blobs } from '../blobs/blobs.ts'
import type { FileRecord } from '../core/content/revision.ts'
import { insufficientStorage } from '../http/errors.ts'
import { because } from '../core/languages/reasons.ts'
import { type CommitFacts, commitMessage, commitSeconds, identityLine } from './commit-text.ts'
import type { TakeChange } from './printed-tree.ts'
import { type RunningGit, startGit } from './process.ts'

/** The most bytes of one import, which is also the largest repository that is made at once. */
const MOST_BYTES = 4 * 1024 ** 3

/** What commits are written with. */
export interface CommitTarget {
  /** The folder of the repository. */
  folder: string
  blobs: Blobs
  signal: AbortSignal
  /** Gets each file whose bytes the store has lost. The commit has no such file. */
  reportMissing(hash: string, name: string): void
}

/** Where a commit is in the history. */
export interface CommitPlace {
  /** The commits that it follows, such as an id and `~2`; empty for the first, or one that follows the last. */
  parents: readonly string[]
  /** A commit that the last one is merged with. */
  merged?: string | undefined
  /** Whether the change has all files, and not only those that differ from the first parent. */
  isWhole?: boolean
}

/** Writes commits, which are in the repository after `end`. Disposing it before ends the process and leaves nothing. */
export interface CommitWriter extends Disposable {
  /**
   * Writes a commit.
   * @param ref the branch that it becomes the head of
   * @param place the commits that it follows
   * @param change writes the changes of its files with `take`
   */
  commit(
    ref: string,
    facts: CommitFacts,
    place: CommitPlace,
    change: (take: TakeChange) => Promise<void>,
  ): Promise<void>
  /** @returns the id of the last commit. @throws GitFault */
  end(): Promise<string>
}

/** @param isForced whether a branch may lose commits that it had */
export function writeCommits(importing: CommitTarget, isForced: boolean): CommitWriter {
  const { folder, blobs, signal, reportMissing } = importing
  const force = isForced ? ['--force'] : []
  const git = startGit(folder, ['fast-import', '--quiet', '--done', ...force], { signal })
  const printed = text(git.stdout)
  const input = boundedInput(git)

  const writeFile = async (path: string, { hash, name }: FileRecord) => {
    const blob = await blobs.get(hash)
    if (!blob) return reportMissing(hash, name)
    await input.write(`M 100644 inline ${quotedPath(path)}\ndata ${blob.size}\n`)
    for await (const piece of blob.stream as AsyncIterable<Buffer>) await input.write(piece)
    return input.write('\n')
  }
  return {
    async commit(ref, facts, { parents, merged, isWhole = false }, change) {
      const [from, ...others] = parents
      const merges = [...others, ...(merged === undefined ? [] : [merged])].map((one) => `merge ${one}\n`)
      const seconds = commitSeconds(facts.at)
      const message = Buffer.from(commitMessage(facts))
      await input.write(
        [
          `commit ${ref}`,
          'mark :1',
          `author ${identityLine(facts.author)} ${seconds} +0000`,
          `committer ${identityLine(facts.committer)} ${seconds} +0000`,
          `data ${message.length}`,
          `${message.toString()}${from === undefined ? '' : `from ${from}\n`}${merges.join('')}`,
        ].join('\n'),
      )
      if (isWhole) await input.write('deleteall\n')
      await change(async (one) => {
        if ('removed' in one) return input.write(`D ${quotedPath(one.path)}\n`)
        if ('file' in one) return writeFile(one.path, one.file)
        const bytes = Buffer.from(one.text)
        return input.write([`M 100644 inline ${quotedPath(one.path)}\ndata ${bytes.length}\n`, bytes, '\n'])
      })
      await input.write('\n')
    },
    async end() {
      await input.write('get-mark :1\ndone\n')
      git.stdin.end()
      await git.ended
      return (await printed).trim()
    },
    [Symbol.dispose]: () => git.kill(),
  }
}

/** A path as `git fast-import` reads it. `isGitPath` leaves no control characters and no backslashes. */
const quotedPath = (path: string) => (path.startsWith('"') ? `"${path.replaceAll('"', '\\"')}"` : path)

/** The input of a process, which is written no faster than it is read. */
function boundedInput({ stdin, ended }: RunningGit) {
  let written = 0
  const writePart = async (part: string | Uint8Array) => {
    written += part.length
    if (written > MOST_BYTES) throw insufficientStorage(because('git-repository-too-large'))
    // A process that ended does not read, and its error says why.
    if (!stdin.writable) return ended
    if (!stdin.write(part)) await Promise.race([once(stdin, 'drain').catch(() => ended), ended])
  }
  return {
    async write(parts: string | Uint8Array | readonly (string | Uint8Array)[]): Promise<void> {
      if (typeof parts === 'string' || parts instanceof Uint8Array) return writePart(parts)
      for (const part of parts) await writePart(part)
    },
  }
}
