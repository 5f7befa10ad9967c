/** Serves the console: one page for all of its addresses, and the files that it is built of. */
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bundle, BundleFile } from '../build/files.ts'
import { preferredEncoding } from '../../http/response/encodings.ts'
import { notFound } from '../../http/errors.ts'
import { appPolicy, renderApp } from '../render/app.ts'
import { renderNotice } from '../render/notice.ts'
import type { Wording } from '../render/words.ts'
import type { PageAnswer } from './page.ts'

/** The console of a server. */
export interface AppFiles {
  /** Builds the console, unless that has begun. */
  start(): void
  /** The page of the console, or one that says why it cannot be built. */
  page(wording: Wording): Promise<PageAnswer>
  mount(server: FastifyInstance): void
}

const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Returns the error that stopped the bundler, which puts the first of its errors on the second line. */
function reasonOf({ message }: Error): string {
  const [first = '', second] = message.split('\n')
  return second ?? first
}

/** A console that is built when somebody first asks for it; if that fails, the next request tries again. */
export function builtOnce(
  build: () => Promise<Bundle>,
  log: (error: unknown) => void,
): () => Promise<Bundle> {
  let built: Promise<Bundle> | undefined
  return () => {
    built ??= build().catch((error: unknown) => {
      built = undefined
      log(error)
      throw error
    })
    return built
  }
}

/** @param bundle returns the console as it is now */
export function consoleFiles(bundle: () => Promise<Bundle>): AppFiles {
  const compressed = new Map<string, Promise<Buffer>>()

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name = '' } = request.params as { name?: string }
    const file = (await bundle()).files.get(name)
    if (!file) throw notFound('file')
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .header('x-content-type-options', 'nosniff')
      .type(name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8')
    const encoding = preferredEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
    if (!encoding) return reply.send(file.text)
    return reply.header('content-encoding', encoding).send(await bytesOf(file, encoding))
  }

  function bytesOf({ name, text }: BundleFile, encoding: 'br' | 'gzip'): Promise<Buffer> {
    const key = `${encoding} ${name}`
    const known = compressed.get(key)
    if (known) return known
    const bytes = encoding === 'br' ? compress.br(text, BROTLI) : compress.gzip(text)
    compressed.set(key, bytes)
    return bytes
  }

  return {
    start: () => void bundle().catch(() => undefined),
    async page(wording) {
      const { t } = wording
      try {
        const { script, styles } = await bundle()
        const nonce = randomBytes(16).toString('base64')
        return { page: renderApp({ script, styles, nonce }, wording), policy: appPolicy(nonce) }
      } catch (error) {
        const text = t(
          'The console could not be built: {reason}. The API and the sites work; the log of the server has the details.',
          { reason: reasonOf(error as Error) },
        )
        const link = { to: '/app/me', title: t('Your account') }
        return {
          status: 503,
          page: renderNotice({ title: t('The console is not there'), text, link }, wording),
        }
      }
    },
    mount(server) {
      server.get('/app/files/:name', { schema: { hide: true } }, send)
    },
  }
}
