/**
 * A client that does nothing but wait for short answers: it requests the addresses in turn, and prints the times in
 * milliseconds as JSON when its input ends.
 *
 *   node bench/bystander.ts <address> <headers as JSON> …
 */
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const PAUSE_MS = 10

const args = process.argv.slice(2)
const targets = Array.from({ length: args.length / 2 }, (_, index) => ({
  url: args[2 * index]!,
  headers: JSON.parse(args[2 * index + 1]!) as Record<string, string>,
}))
const times: number[][] = targets.map(() => [])

const input = process.stdin.resume()

/** @returns the time until the whole answer has arrived */
async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const start = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request(url, { headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
    response.resume().on('end', () => resolve(performance.now() - start))
  })
    .on('error', reject)
    .end()
  return promise
}

while (!input.readableEnded) {
  for (const [index, { url, headers }] of targets.entries()) times[index]!.push(await timeOf(url, headers))
  await wait(PAUSE_MS)
}
console.log(JSON.stringify(times))
