import type { FastifyRequest } from 'fastify'
import { renderSignedOut, renderSignInNeeded, renderSignOut } from '../render/sign-in-pages.ts'
import { acceptedLanguage } from '../render/words/choose.ts'
import type { ServedSite } from '../../model/sites/published/open-site.ts'
import { FORM_PAGE_HEADERS, pageHeaders } from './pages/page-headers.ts'
import { type SiteResponse, textResponse } from './responses.ts'

const HTML = 'text/html; charset=utf-8'

/** The response for a reader whom a site cannot send to a sign-in page, or whose token is not valid. */
export function signInNeeded(
  request: FastifyRequest,
  place: ServedSite,
  signIn?: string,
  reason?: 'expired' | 'invalid',
): Promise<SiteResponse> {
  const error = reason === undefined ? '' : ', error="invalid_token"'
  return textResponse(
    401,
    HTML,
    renderSignInNeeded({ place, language: languageOf(request), signIn, reason }),
    {
      ...pageHeaders({ sandboxed: place.sandboxed }),
      'www-authenticate': `Bearer realm="site"${error}`,
      'x-robots-tag': 'noindex, nofollow',
    },
  )
}

/** The response that asks a reader whether to sign out. */
export function askToSignOut(request: FastifyRequest, place: ServedSite): Promise<SiteResponse> {
  return textResponse(200, HTML, renderSignOut(place, languageOf(request)), {
    ...FORM_PAGE_HEADERS,
    'x-robots-tag': 'noindex, nofollow',
  })
}

/** The response that follows the end of a reader's session. */
export function signedOut(request: FastifyRequest, place: ServedSite): Promise<SiteResponse> {
  return textResponse(200, HTML, renderSignedOut(place, languageOf(request)), {
    ...pageHeaders({ sandboxed: place.sandboxed }),
    'x-robots-tag': 'noindex, nofollow',
  })
}

/** The site has a language too, but a reader whom it does not admit learns nothing of it. */
const languageOf = ({ headers }: FastifyRequest) => acceptedLanguage(headers['accept-language'])
