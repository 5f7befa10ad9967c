/** What a client pushes: the branches that it changes, its options, and a pack. */
import type { Readable } from 'node:stream'
import { PacketFault, type PacketReader, readPackets } from './packets.ts'

/** The most bytes of the commands and options of a push. */
const MOST_BYTES = 64 * 1024
/** So many refs can be changed at once. */
export const MOST_COMMANDS = 8
const NONE = /^0{40}$/

/** What the server offers to clients that push. */
export const PUSH_CAPABILITIES =
  'report-status delete-refs side-band-64k quiet ofs-delta push-options object-format=sha1'

/** The change of a ref. */
export interface RefCommand {
  ref: string
  /** The commit that the client takes for the head; undefined if it takes the ref for new. */
  before: string | undefined
  /** The new commit; undefined to delete the ref. */
  after: string | undefined
}

/** The options of a push, such as `-o draft`. */
export interface PushOptions {
  subject?: string
  isDraft: boolean
}

/** A push without its objects. */
export interface PushRequest {
  commands: readonly RefCommand[]
  options: PushOptions
  /** Options that Lectern does not know. */
  unknown: readonly string[]
  /** Whether the client reads messages beside the result. */
  hasBands: boolean
  /** Whether the client wants to know the result. */
  isReported: boolean
  /** The pack, which follows if a ref gets a commit. */
  pack(): AsyncGenerator<Buffer>
  /** Stops reading the body. */
  end(): Promise<void>
}

/** Reads a push. It has no commands if the client only tries out its token. @throws PacketFault */
export async function readPush(body: Readable): Promise<PushRequest> {
  const packets = readPackets(body, MOST_BYTES)
  try {
    return await readWith(packets)
  } catch (error) {
    await packets.end()
    throw error
  }
}

async function readWith(packets: PacketReader): Promise<PushRequest> {
  const commands: RefCommand[] = []
  let capabilities = new Set<string>()
  for (let line = await packets.next(); line; line = await packets.next()) {
    const [text = '', offered] = line.toString('utf8').split('\0', 2)
    if (offered !== undefined) capabilities = new Set(offered.trim().split(' '))
    commands.push(commandIn(text))
  }
  const options: PushOptions = { isDraft: false }
  const unknown: string[] = []
  if (capabilities.has('push-options'))
    for (let line = await packets.next(); line; line = await packets.next())
      if (!takeOption(options, line.toString('utf8').trim()))
        unknown.push(line.toString('utf8').slice(0, 100))
  return {
    commands,
    options,
    unknown,
    hasBands: capabilities.has('side-band-64k'),
    isReported: capabilities.has('report-status'),
    pack: () => packets.rest(),
    end: () => packets.end(),
  }
}

function commandIn(text: string): RefCommand {
  const [, before = '', after = '', ref = ''] =
    /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\s\p{Cc}]{1,1000})\n?$/u.exec(text) ?? []
  if (ref === '') throw new PacketFault('A line is no change of a ref')
  const commitIn = (oid: string) => (NONE.test(oid) ? undefined : oid)
  return { ref, before: commitIn(before), after: commitIn(after) }
}

function takeOption(options: PushOptions, text: string): boolean {
  if (text === 'draft') options.isDraft = true
  else if (text.startsWith('subject=')) options.subject = text.slice('subject='.length)
  else return false
  return true
}
