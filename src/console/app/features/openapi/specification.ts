/** An OpenAPI specification, and how far its newest source is. */
import { t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'

/** An OpenAPI specification of an organization. */
export type Specification = Schemas['OpenAPISpec']

/** How often a screen asks for the state while the server reads a source, in milliseconds. */
export const READING_POLL = 1500

/** How far the newest source of a specification is. */
export function stateText({ processingState, lastProcessErrorCode, lastVersion }: Specification): string {
  if (processingState !== 'complete') return t('common.reading')
  if (lastProcessErrorCode !== undefined)
    return lastVersion === undefined ? t('openapi.could-not-read') : t('openapi.last-update-could-not')
  return t('openapi.ready')
}
