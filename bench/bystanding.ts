import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { importCorpus } from './import.ts'
import { onApiHost, type Running } from './measure.ts'

/** An address, and the headers that it is requested with. */
export type Address = readonly [url: string, headers: object]

/** Runs `work` while another process requests the addresses. @returns the times of each address, in milliseconds */
export async function bystanding(
  addresses: readonly Address[],
  work: () => Promise<void>,
): Promise<number[][]> {
  const args = addresses.flatMap(([url, headers]) => [url, JSON.stringify(headers)])
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bystander.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const printed = text(child.stdout)
  await wait(1000)
  await work()
  child.stdin.end()
  return JSON.parse(await printed) as number[][]
}

const PAGE = 'getting-started/concepts'

/** What somebody who is not attacked requests, by what it is. */
export function bystanderAddresses(
  lectern: Running,
  { space, site }: Awaited<ReturnType<typeof importCorpus>>,
): Record<string, Address> {
  return {
    '/livez': [`${lectern.url}/livez`, {}],
    'a warm page': [onApiHost(lectern, site) + PAGE, {}],
    'GET of a space': [`${lectern.url}/v1/spaces/${space}`, { authorization: `Bearer ${lectern.token}` }],
  }
}
