/** Shows how far the server is with an import. */
import type { RunningImport } from '../../http/running-imports.ts'
import type { BareCall } from '../client.ts'
import { progressBar, type ProgressOptions } from '../progress-bar.ts'

const ASK_MS = 1_000

const LABELS: Record<RunningImport['stage'], string> = {
  waiting: 'Waiting',
  fetching: 'Fetching',
  reading: 'Reading',
  writing: 'Writing',
}

/** Runs an import into a space, and asks the server every second how far it is. */
export async function withImportProgress<T>(
  call: BareCall,
  space: string,
  work: () => Promise<T>,
  options: ProgressOptions & { askMs?: number } = {},
): Promise<T> {
  const bar = progressBar('Importing', options)
  let asking: Promise<void> | undefined
  const ask = async () => {
    // Progress is not worth a fault: an earlier server does not have it, and the import itself reports all others.
    const found = await call('GET', `/spaces/${space}/content/import`).catch(() => undefined)
    const [first] = (found?.imports ?? []) as RunningImport[]
    if (first) bar.show({ label: LABELS[first.stage] ?? 'Importing', done: first.done, total: first.total })
    asking = undefined
  }
  const timer = options.isQuiet
    ? undefined
    : setInterval(() => void (asking ??= ask()), options.askMs ?? ASK_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await asking
    bar.end()
  }
}
