import type { OwnSettings } from '../http/own-process.ts'
import type { Config } from './config.ts'

/** Fewer different characters than a random secret of 32 has, whatever its alphabet. */
const LEAST_CHARACTERS = 8
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** The settings that health checks look at, without secrets. */
export function ownSettings({ data, s3, databaseUrl, url, host, secret, updateUrl }: Config): OwnSettings {
  return {
    data,
    store: s3 ? 's3' : 'disk',
    database: databaseUrl === undefined ? 'sqlite' : 'postgres',
    url,
    isLocal: LOCAL.test(host),
    isSecretWeak: secret !== undefined && new Set(secret).size < LEAST_CHARACTERS,
    updateUrl,
  }
}
