import { cacheTags } from '../../core/web/cache-tags.ts'
import type { SiteReader } from '../route.ts'

/** How long a renderer may keep a response, in seconds. A day heals a request to it that was lost. */
const [KEPT_S, KEPT_SIGNED_S, KEPT_PREVIEW_S] = [86_400, 3_600, 60]

/**
 * The headers by which a renderer caches a response to a site token, and forgets it.
 * @param spaces the spaces whose pages decide what the response has, besides that in the address
 */
export function rendererHeaders(
  { siteId, organizationId, proof }: SiteReader,
  { spaceId, changeRequestId, specSlug }: Record<string, string>,
  spaces: readonly string[] = [],
): Record<string, string> {
  const tags = new Set([cacheTags.site(siteId), ...spaces.map(cacheTags.space)])
  if (spaceId !== undefined) tags.add(cacheTags.space(spaceId))
  if (spaceId !== undefined && changeRequestId !== undefined)
    tags.add(cacheTags.changeRequest(spaceId, changeRequestId))
  if (specSlug !== undefined) tags.add(cacheTags.specification(organizationId, specSlug))
  // The addresses of files for a reader who proved something are valid for an hour or longer.
  const isSigned = proof.keyHash !== undefined || proof.signedBy !== undefined
  const isPlain = !isSigned && JSON.stringify(proof.claims) === '{"unsigned":{}}'
  const seconds = proof.preview !== undefined ? KEPT_PREVIEW_S : isPlain ? KEPT_S : KEPT_SIGNED_S
  return {
    'x-gitbook-cache-tag': [...tags].join(','),
    'x-gitbook-cache-control': `max-age=${seconds}`,
  }
}
