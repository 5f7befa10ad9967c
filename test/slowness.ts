/** How slow the machine is at the moment: processes on the other cores share its caches, memory and clock rate. */

const TEXT = JSON.stringify(
  Array.from({ length: 2000 }, (_, index) => ({
    id: index,
    title: `Page ${index}`,
    path: ['a', 'b', `${index}`],
  })),
)

/** The CPU time of `reference()` on the quiet machine that the limits of the tests were measured on. */
const REFERENCE_MS = 8

/** A fixed piece of work of the kind that the server does. @returns its CPU time in milliseconds */
function reference(): number {
  const before = process.threadCpuUsage()
  for (let round = 0; round < 4; round++) {
    const pages: { title: string }[] = JSON.parse(TEXT)
    const slugs = new Map(pages.map((page) => [page.title.toLowerCase().split(' ').join('-'), page]))
    if (JSON.stringify([...slugs.values()]).length !== TEXT.length) throw new Error('The reference is wrong')
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * By how much code takes more CPU time than on a quiet machine: 1 on a quiet or faster one, and at most 4, because a
 * fault may slow the machine down too.
 */
export function machineSlowness(): number {
  const times = Array.from({ length: 7 }, reference).toSorted((a, b) => a - b)
  return Math.min(4, Math.max(1, times[3]! / REFERENCE_MS))
}
