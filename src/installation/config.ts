import { faultsOfFonts } from '../books/font-folder.ts'
import { BOOK_LIMITS } from '../books/limits.ts'
import { LIMITS } from '../core/content/limits.ts'
import { ARCHIVE_LIMITS, type ArchiveLimits } from '../core/repository/archive-limits.ts'
import { PAGE_LIMITS } from '../core/document/shape/limits.ts'
import { append } from '../core/data/lists.ts'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { EMAIL_PATTERN } from '../http/validation/validate.ts'
import { parseRanges, type Ranges } from '../http/limits/networks.ts'
import { FORWARDING_HEADERS, type ForwardingHeader } from '../http/request/proxies.ts'
import type { RendererConfig, SessionTimes } from '../http/route.ts'
import type { DatabaseTimeouts } from '../db/postgres.ts'
import type { MetricsConfig } from '../metrics/endpoint.ts'
import { readTracing, type TracingConfig } from '../tracing/config.ts'
import { readMetrics } from './metrics-config.ts'
import type { SmtpConfig } from '../mail/smtp.ts'
import { readSmtp } from './mail-config.ts'

export interface S3Config {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** How long the bucket may take for each step of a request. */
  timeoutMs: number
}

export interface Config {
  port: number
  host: string
  /** The absolute path of the folder for the database, the blobs and the local token. */
  data: string
  /** `postgres://…`; if absent, a SQLite file in the data folder. */
  databaseUrl: string | undefined
  /** How long PostgreSQL may take. */
  databaseTimeouts: DatabaseTimeouts
  /** The public address of the API, without a trailing slash; by default, localhost and the port. */
  url: string | undefined
  /** The parent host of sites, with its port: `<organization>.<sitesHost>`; by default, localhost and the port. */
  sitesHost: string | undefined
  adminEmail: string | undefined
  adminToken: string | undefined
  fetchAllow: Ranges
  /** The addresses of proxies, which may name the address of the client. */
  trustedProxies: Ranges
  /** The header in which they name it; by default, the one that a request has. */
  forwardingHeader: ForwardingHeader | undefined
  log: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** Signs addresses, and encrypts stored secrets; by default, a random secret in the data folder. */
  secret: string | undefined
  /** Replaces `secret` in `lectern rotate-secret`. */
  newSecret: string | undefined
  /** The origins from which browsers may call the API; `*` is any. */
  corsOrigins: string[]
  /** The limit of requests per minute for each user, and for each client without a token. */
  rateLimit: number
  /** The largest upload, in bytes. */
  maxUpload: number
  /** The largest page, in bytes of Markdown. */
  maxPage: number
  /** The most pages of a space. */
  maxPages: number
  /** The limits of the archives of imports. */
  archives: ArchiveLimits
  /** How much the making of a PDF file may take: the memory of its process in megabytes, and the time in seconds. */
  books: { memoryMb: number; seconds: number; fontFolder?: string | undefined }
  /** How many bytes an organization, and a user, may have announced and sent as uploads that have not expired. */
  uploadQuota: number
  /** For how many days events of visitors are kept; 0 stores none. */
  insightDays: number
  /** For how long people stay signed in. */
  sessionTimes: SessionTimes
  /** After how many hours the sources of OpenAPI specifications are fetched again; 0 is never. */
  openapiHours: number
  /** Signs the webhooks of a git host that `lectern sync --listen` receives. */
  webhookSecret: string | undefined
  /** If true, a new installation may start where files are stored already, and leaves them alone. */
  keepFiles: boolean
  /** The setup that each start applies. */
  setupFile: string | undefined
  s3: S3Config | undefined
  /** The renderer in front of the server, which hears of changes; if absent, there is none. */
  renderer: RendererConfig | undefined
  /** The mail server; if absent, no email is sent. */
  smtp: SmtpConfig | undefined
  /** Where metrics are served; if absent, nowhere. */
  metrics: MetricsConfig | undefined
  /** Where traces are sent; if absent, nowhere. */
  tracing: TracingConfig | undefined
  /** Statements that take longer are logged, in milliseconds; 0 logs none. */
  slowQueryMs: number
  /** How many organizations a user may create who does not administer the installation. */
  organizationsPerUser: number
  /** If true, the organization of the first start is the only one. */
  singleOrganization: boolean
  /** Where the newest version is looked up once a day; by default, nowhere. */
  updateUrl: string | undefined
}

/** The configuration is invalid; `faults` has one line for each invalid variable. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(`The configuration is invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

const LOOPBACK = '127.0.0.0/8, ::1'
const LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
const HOST_PATTERN = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$/i
const TOKEN_PATTERN = /^[\x21-\x7e]{16,255}$/
const TOKEN_WORDS = '16 to 255 printable characters without spaces'

/**
 * Reads the configuration from environment variables. `NAME_FILE` reads the value of `NAME` from a file.
 * @throws ConfigError that lists every fault.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = []
  const known = new Set<string>()

  const text = (name: string): string | undefined => {
    known.add(name)
    const file = env[`${name}_FILE`]
    if (!file) return env[name]?.trim() || undefined
    if (env[name]) faults.push(`${name} and ${name}_FILE are both set; keep one of them`)
    try {
      return readFileSync(file, 'utf8').trim() || undefined
    } catch (error) {
      faults.push(`${name}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
      return undefined
    }
  }
  const number = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name)
    if (value === undefined) return fallback
    const parsed = Number(value)
    if (/^\d+$/.test(value) && parsed >= min && parsed <= max) return parsed
    faults.push(`${name} must be an integer from ${min} to ${max}, but is "${value}"`)
    return fallback
  }
  const matching = (name: string, pattern: RegExp, what: string) => {
    const value = text(name)
    if (value === undefined || pattern.test(value)) return value
    // The value is not printed: it can be a secret.
    faults.push(`${name} must be ${what}`)
    return undefined
  }

  const path = (name: string) => {
    known.add(name)
    return env[name]?.trim() || undefined
  }

  const port = number('PORT', 3000, 0, 65535)
  const host = text('HOST') ?? '127.0.0.1'
  const url = text('LECTERN_URL')
  const log = text('LECTERN_LOG') ?? 'info'
  if (!LEVELS.some((level) => level === log)) faults.push(`LECTERN_LOG must be one of ${LEVELS.join(', ')}`)

  const ranges = (name: string, fallback: string): Ranges => {
    try {
      return parseRanges(text(name) ?? fallback)
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`)
      return []
    }
  }
  const forwarding = text('LECTERN_FORWARDING_HEADER')?.toLowerCase()
  if (forwarding && !FORWARDING_HEADERS.some((header) => header === forwarding))
    faults.push('LECTERN_FORWARDING_HEADER must be X-Forwarded-For or Forwarded')

  const fontFolder = path('LECTERN_FONTS')
  if (fontFolder)
    append(
      faults,
      faultsOfFonts(resolve(fontFolder)).map((fault) => `LECTERN_FONTS: ${fault}`),
    )

  const config: Config = {
    port,
    host,
    data: resolve(text('LECTERN_DATA') ?? 'data'),
    databaseUrl: matching(
      'DATABASE_URL',
      /^postgres(ql)?:\/\/.+/,
      'a PostgreSQL URL such as postgres://user@host/name',
    ),
    databaseTimeouts: {
      connectMs: 1000 * number('LECTERN_DATABASE_CONNECT_TIMEOUT', 10, 1, 3600),
      statementMs: 1000 * number('LECTERN_DATABASE_STATEMENT_TIMEOUT', 60, 1, 86_400),
    },
    url: url && webAddress('LECTERN_URL', url, faults),
    sitesHost: matching(
      'LECTERN_SITES_HOST',
      HOST_PATTERN,
      'a host name, such as docs.example.com',
    )?.toLowerCase(),
    adminEmail: matching(
      'LECTERN_ADMIN_EMAIL',
      // The pattern and the length of the API's `Email`.
      new RegExp(`^(?=.{1,254}$)${EMAIL_PATTERN.source}`, 'i'),
      'an email address of at most 254 characters',
    ),
    adminToken: matching('LECTERN_ADMIN_TOKEN', TOKEN_PATTERN, TOKEN_WORDS),
    fetchAllow: ranges('LECTERN_FETCH_ALLOW', ''),
    trustedProxies: ranges('LECTERN_TRUSTED_PROXIES', LOOPBACK),
    forwardingHeader: forwarding as Config['forwardingHeader'],
    log: log as Config['log'],
    secret: matching('LECTERN_SECRET', /^.{32,}$/, 'at least 32 characters'),
    newSecret: matching('LECTERN_NEW_SECRET', /^.{32,}$/, 'at least 32 characters'),
    corsOrigins: readOrigins(text('LECTERN_CORS_ORIGINS') ?? '*', faults),
    rateLimit: number('LECTERN_RATE_LIMIT', 6000, 1, 100_000_000),
    maxUpload: number('LECTERN_MAX_UPLOAD', 500 * 1024 * 1024, 1024, 10 * 1024 ** 3),
    maxPage: number('LECTERN_MAX_PAGE', PAGE_LIMITS.bytes, 10_000, 4_000_000),
    maxPages: number('LECTERN_MAX_PAGES', LIMITS.pages, 100, 200_000),
    archives: {
      bytes: number('LECTERN_IMPORT_BYTES', ARCHIVE_LIMITS.bytes, 1_000_000, 10 * 1024 ** 3),
      fileBytes: number('LECTERN_IMPORT_FILE_BYTES', ARCHIVE_LIMITS.fileBytes, 1_000_000, 10 * 1024 ** 3),
      entries: number('LECTERN_IMPORT_FILES', ARCHIVE_LIMITS.entries, 100, 1_000_000),
      ratio: ARCHIVE_LIMITS.ratio,
    },
    books: {
      memoryMb: number('LECTERN_BOOK_MEMORY', BOOK_LIMITS.memoryMb, 300, 100_000),
      seconds: number('LECTERN_BOOK_SECONDS', BOOK_LIMITS.totalMs / 1000, 10, 3600),
      fontFolder: fontFolder && resolve(fontFolder),
    },
    uploadQuota: number('LECTERN_UPLOAD_QUOTA', 10 * 1024 ** 3, 1024, 1024 ** 5),
    sessionTimes: {
      ageMs: 3_600_000 * number('LECTERN_SESSION_HOURS', 720, 1, 8760),
      idleMs: 60_000 * number('LECTERN_SESSION_IDLE_MINUTES', 20_160, 5, 525_600),
    },
    insightDays: number('LECTERN_INSIGHTS_DAYS', 365, 0, 3650),
    openapiHours: number('LECTERN_OPENAPI_REFRESH', 6, 0, 8760),
    webhookSecret: matching('LECTERN_WEBHOOK_SECRET', TOKEN_PATTERN, TOKEN_WORDS),
    keepFiles: matching('LECTERN_KEEP_FILES', /^(true|false)$/, 'true or false') === 'true',
    setupFile: path('LECTERN_SETUP_FILE'),
    s3: readS3(text, number, faults),
    renderer: readRenderer(
      text('LECTERN_RENDERER_URL'),
      matching('LECTERN_RENDERER_SECRET', TOKEN_PATTERN, TOKEN_WORDS),
      faults,
    ),
    smtp: readSmtp(text, faults),
    metrics: readMetrics(text, matching('LECTERN_METRICS_TOKEN', TOKEN_PATTERN, TOKEN_WORDS), faults),
    tracing: readTracing(text, faults),
    slowQueryMs: number('LECTERN_SLOW_QUERY_MS', 1_000, 0, 3_600_000),
    organizationsPerUser: number('LECTERN_ORGANIZATIONS_PER_USER', 10, 0, 1_000_000),
    singleOrganization: matching('LECTERN_SINGLE_ORGANIZATION', /^(true|false)$/, 'true or false') === 'true',
    updateUrl: matching(
      'LECTERN_UPDATE_URL',
      /^https?:\/\/\S+$/,
      'a URL such as https://example.com/lectern/latest.json',
    ),
  }
  append(faults, unknownNames(env, known))
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

function webAddress(name: string, value: string, faults: string[]): string {
  const parsed = URL.parse(value)
  const plain =
    parsed && /^https?:$/.test(parsed.protocol) && !parsed.search && !parsed.hash && parsed.pathname === '/'
  if (!plain) faults.push(`${name} must be a URL such as https://docs.example.com, without a path`)
  return value.replace(/\/+$/, '')
}

function readRenderer(
  url: string | undefined,
  secret: string | undefined,
  faults: string[],
): RendererConfig | undefined {
  if (!url && !secret) return undefined
  if (url && secret) return { url: webAddress('LECTERN_RENDERER_URL', url, faults), secret }
  if (faults.some((fault) => fault.startsWith('LECTERN_RENDERER_SECRET must'))) return undefined
  faults.push('For a renderer, set LECTERN_RENDERER_URL and LECTERN_RENDERER_SECRET together')
  return undefined
}

function readOrigins(list: string, faults: string[]): string[] {
  const origins = list.split(',').map((origin) => origin.trim())
  for (const origin of origins) {
    // Browsers send an origin in its normal form, and it is compared as text: another spelling would never match.
    if (origin !== '*' && URL.parse(origin)?.origin !== origin) {
      faults.push(`LECTERN_CORS_ORIGINS: "${origin}" must be an origin such as https://docs.example.com`)
    }
  }
  return origins
}

/** Reports variables that Lectern does not read, because a misspelled name would otherwise go unnoticed. */
function unknownNames(env: Record<string, string | undefined>, known: ReadonlySet<string>): string[] {
  return Object.keys(env)
    .filter((name) => /^LECTERN_(?!TEST_)/.test(name))
    .filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')))
    .map((name) => {
      const [nearest] = [...known].toSorted((a, b) => distance(name, a) - distance(name, b))
      return `${name} is not a known variable; did you mean ${nearest}?`
    })
}

/** The Levenshtein distance of two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

function readS3(
  text: (name: string) => string | undefined,
  number: (name: string, fallback: number, min: number, max: number) => number,
  faults: string[],
): S3Config | undefined {
  const timeoutMs = 1000 * number('LECTERN_S3_TIMEOUT_SECONDS', 20, 1, 3600)
  const region = text('LECTERN_S3_REGION') ?? 'us-east-1'
  const bucket = text('LECTERN_S3_BUCKET')
  const endpoint = text('LECTERN_S3_ENDPOINT')
  const accessKeyId = text('LECTERN_S3_ACCESS_KEY_ID')
  const secretAccessKey = text('LECTERN_S3_SECRET_ACCESS_KEY')
  if (!bucket && !endpoint && !accessKeyId && !secretAccessKey) return undefined
  if (!bucket || !endpoint || !accessKeyId || !secretAccessKey) {
    faults.push(
      'For S3, set LECTERN_S3_ENDPOINT, LECTERN_S3_BUCKET, LECTERN_S3_ACCESS_KEY_ID and LECTERN_S3_SECRET_ACCESS_KEY together',
    )
    return undefined
  }
  return {
    endpoint: webAddress('LECTERN_S3_ENDPOINT', endpoint, faults),
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    timeoutMs,
  }
}
