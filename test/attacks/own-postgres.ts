import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../process.ts'

/** A PostgreSQL server of one test. */
export interface OwnPostgres {
  url: string
  /** Ends the server without a checkpoint, as a crash does, and starts it again. */
  restart(): Promise<void>
  /** Throws if a table or an index is damaged. */
  verify(): void
  stop(): void
}

/** Starts a PostgreSQL server; undefined if its programs, or the right to run them as another user, are missing. */
export async function ownPostgres(): Promise<OwnPostgres | undefined> {
  const programs = globSync('/usr/lib/postgresql/*/bin/pg_ctl').toSorted().at(-1)
  if (!programs || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'lectern-postgres-'))
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  // PostgreSQL refuses to run as root.
  const as = (program: string, ...args: string[]) =>
    execFileSync('runuser', ['-u', 'postgres', '--', join(dirname(programs), program), ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
  const port = await freePort()
  const options = `-p ${port} -h 127.0.0.1 -k ${folder}`
  const stop = () => {
    as('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
    rmSync(folder, { recursive: true })
  }

  as('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8')
  as('pg_ctl', 'start', '-D', data, '-w', '-o', options, '-l', join(folder, 'log'))
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    // Not synchronously: the server of the test runs in this process.
    async restart() {
      const args = ['restart', '-D', data, '-w', '-m', 'immediate', '-l', join(folder, 'log')]
      const child = spawn('runuser', ['-u', 'postgres', '--', programs, ...args], {
        cwd: folder,
        stdio: 'ignore',
      })
      const [code] = (await once(child, 'exit')) as [number]
      if (code !== 0) throw new Error(`pg_ctl ended with ${code}`)
    },
    verify() {
      as(
        'pg_amcheck',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'postgres',
        '--install-missing',
        '--heapallindexed',
      )
    },
    stop,
  }
}
