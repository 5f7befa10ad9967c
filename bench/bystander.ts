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
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const sent = request(url, { headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response
        .resume()
        .on('end', () => resolve(true))
        .on('error', reject)
    })
    // A server may close an idle connection just when a client uses it again, and the client repeats the request.
    sent.on('error', (error) => (sent.reusedSocket ? resolve(false) : reject(error))).end()
    if (await promise) return performance.now() - start
  }
}

while (!input.readableEnded) {
  for (const [index, { url, headers }] of targets.entries()) times[index]!.push(await timeOf(url, headers))
  await wait(PAUSE_MS)
}
console.log(JSON.stringify(times))
