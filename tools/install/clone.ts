import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { megabytesOf, runProgram, secondsSince, type Trial, tryInstallation, writeDocs } from './trial.ts'

/** Clones what is committed, and runs the first command of the README. */
export async function tryClone(root: string, folder: string): Promise<Trial> {
  const clone = join(folder, 'clone')
  const begun = performance.now()
  await runProgram('git', ['clone', '--quiet', root, clone])
  await runProgram('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone })
  const installed = secondsSince(begun)
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, LECTERN_DATA: join(folder, 'data'), LECTERN_LOG: 'silent', PORT: '0' }
  const times = await tryInstallation({
    start: () => spawn('npm', ['start'], { cwd: clone, env, detached: true }),
    stop: interrupt,
    command: (...args) => runProgram('npx', ['lectern', ...args], { cwd: clone, env }),
    docs: writeDocs(folder),
  })
  return { way: 'a clone', megabytes: await megabytesOf(clone), install: installed, ...times }
}

/** Interrupts a command and what it has started, as Ctrl-C does. */
function interrupt({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGINT')
}
