/** Receives a push: reads it, keeps its objects apart, applies it, and reports what has become of each branch. */
import { type Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { because } from '../core/languages/reasons.ts'
import { invalid } from '../http/errors.ts'
import { pageFault } from '../http/response/page-fault.ts'
import { FLUSH, inBand, PacketFault, pktLine } from './packets.ts'
import { applyPush, type PushTarget, type RefResult } from './push.ts'
import { MOST_COMMANDS, PUSH_CAPABILITIES, type PushRequest, readPush } from './push-request.ts'
import { runGit } from './process.ts'
import { openQuarantine } from './quarantine.ts'

/** What a client that pushes gets first: the branches, and what the server understands. */
export async function advertisePush(repository: string, signal: AbortSignal): Promise<string> {
  const listed = await runGit(
    repository,
    ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads'],
    {
      signal,
    },
  )
  const lines = listed
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line, nth) => pktLine(nth === 0 ? `${line}\0${PUSH_CAPABILITIES}\n` : `${line}\n`))
  return `${pktLine('# service=git-receive-pack\n')}${FLUSH}${lines.join('')}${FLUSH}`
}

/** Receives the push of a request. @returns the body of the response */
export async function receivePush(
  request: FastifyRequest,
  repository: () => Promise<{ path: string; target: Omit<PushTarget, 'quarantine' | 'request'> }>,
): Promise<Buffer> {
  const push = await readPush(unzippedBody(request)).catch((error: unknown) => {
    throw error instanceof PacketFault || isZipFault(error) ? invalid(because('git-request-invalid')) : error
  })
  try {
    return await applyReceived(push, request, repository)
  } finally {
    await push.end()
  }
}

async function applyReceived(
  push: PushRequest,
  request: FastifyRequest,
  repository: Parameters<typeof receivePush>[1],
): Promise<Buffer> {
  if (push.commands.length === 0) return Buffer.alloc(0)
  if (push.commands.length > MOST_COMMANDS)
    throw invalid(because('git-push-too-many-branches', { limit: MOST_COMMANDS }))
  const { path, target } = await repository()
  await using quarantine = await openQuarantine(path, target.signal)
  try {
    const { upload } = target.services.limits
    if (push.commands.some(({ after }) => after !== undefined)) await quarantine.take(push.pack(), upload)
  } catch (error) {
    target.signal.throwIfAborted()
    const { message } = pageFault(
      isZipFault(error) ? invalid(because('git-request-invalid')) : error,
      request,
    ).why
    const results = push.commands.map(({ ref }) => ({ ref, refused: 'the objects were refused' }))
    return report(push, message, results, [])
  }
  const lines: string[] = []
  const results = await applyPush(push, { ...target, quarantine, request }, (line) => lines.push(line))
  return report(push, 'ok', results, lines)
}

/** The response: lines for the user, and the result for git. */
function report(
  { hasBands, isReported }: PushRequest,
  unpacked: string,
  results: readonly RefResult[],
  said: readonly string[],
): Buffer {
  const inLine = (text: string) => text.replace(/[\p{Cc}]+/gu, ' ')
  const lines = results.map(({ ref, refused }) =>
    pktLine(refused === undefined ? `ok ${ref}\n` : `ng ${ref} ${inLine(refused)}\n`),
  )
  const result = isReported ? `${pktLine(`unpack ${inLine(unpacked)}\n`)}${lines.join('')}${FLUSH}` : ''
  if (!hasBands) return Buffer.from(result)
  const text = said.map((line) => `${inLine(line)}\n`).join('')
  return Buffer.concat([inBand(2, text), inBand(1, result), Buffer.from(FLUSH)])
}

/** The body of a request of git, decompressed if it is compressed. */
export function unzippedBody({ body, headers }: FastifyRequest): Readable {
  const source = body as Readable
  const isZipped = headers['content-encoding'] === 'gzip' || headers['content-encoding'] === 'x-gzip'
  return isZipped ? pipeline(source, createGunzip(), () => {}) : source
}

const isZipFault = (error: unknown) =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith('Z_')
