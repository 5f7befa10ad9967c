import { readdirSync, readFileSync } from 'node:fs'

/** A reason to skip a test where the system does not tell about processes. */
export const withoutProcesses = process.platform === 'linux' ? false : 'only Linux tells about processes here'

/** The processes that make books for this one, with their memory in megabytes. */
export function makers(): { pid: number; mb: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        if (Number(parent) !== process.pid) return []
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('books/maker.ts')) return []
        const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
        return [{ pid: Number(pid), mb: (pages * 4096) / 1e6 }]
      } catch {
        return []
      }
    })
}
