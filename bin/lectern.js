#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

/** The program of a clone; an installed package has it compiled, in `dist`. */
const SOURCE = new URL('../src/main.ts', import.meta.url)

const [major] = process.versions.node.split('.')
if (Number(major) < 24) {
  const advice = existsSync(SOURCE)
    ? 'Run "npx lectern" in its folder to use the Node that "npm ci" installed.'
    : 'Install Node 24 or later.'
  console.error(`Lectern needs Node 24 or later, and this is Node ${process.versions.node}. ${advice}`)
  process.exit(1)
}

const args = process.argv.slice(2)

// A server that has been under load would keep memory that it needs no more: V8 the pages of threads that have ended, until
// the next full collection, and glibc up to 64 MB for each of many threads. And libuv would have only four threads for
// files, compression and host names. All read their settings when a process starts, so this one starts again, in place. The server also collects garbage itself when it rests (src/server/idle-memory.ts).
// Another major version of Node may not know the flags.
const FLAGS = Number(major) === 26 ? ['--no-memory-pool-share-memory-on-teardown', '--expose-gc'] : []
const SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '16' }
const isTuned = FLAGS.every((flag) => process.execArgv.includes(flag)) && 'MALLOC_ARENA_MAX' in process.env
if (args.length === 0 && !isTuned && !process.connected && process.platform !== 'win32') {
  const command = [process.execPath, ...FLAGS, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, command, { ...SETTINGS, ...process.env })
}

// What was compiled before need not be compiled again: half of the start is reading code.
module.enableCompileCache()
const { main } = await import(existsSync(SOURCE) ? SOURCE : new URL('../dist/main.js', import.meta.url))
await main(args)
// A server that is killed later would not store what it has compiled.
module.flushCompileCache()
