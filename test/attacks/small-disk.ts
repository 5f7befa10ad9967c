import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real file system of a few megabytes. */
export interface SmallDisk {
  path: string
  /** Leaves no space. */
  fill(): void
  /** Removes what `fill` wrote. */
  free(): void
  /** Makes the file system read-only; nothing may have a file of it open for writing. */
  readOnly(): void
  unmount(): void
}

/** Mounts a file system in memory; undefined if this machine does not allow it, as most do only to root. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'lectern-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    return undefined
  }
  const filler = join(path, 'filler')

  return {
    path,
    fill() {
      const file = openSync(filler, 'a')
      try {
        for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) fillBy(file, size)
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
    readOnly: () => execFileSync('mount', ['-o', 'remount,ro', path]),
    unmount() {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true })
    },
  }
}

function fillBy(file: number, size: number): void {
  try {
    for (;;) writeSync(file, Buffer.alloc(size))
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
  }
}
