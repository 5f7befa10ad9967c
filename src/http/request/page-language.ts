import type { IncomingMessage } from 'node:http'
import { acceptedLanguages } from '../../core/web/accepted.ts'
import {
  LANGUAGE_COOKIE,
  type PageLanguage,
  pageLanguageFor,
  pageLanguageOrEnglish,
} from '../../core/languages/page-languages.ts'
import { cookieOf } from './cookies.ts'

/**
 * The language of a page: that of the account, or else the choice in this browser, or else the first of `Accept-Language`
 * that the pages have. As in the console, a choice that the pages do not have means English.
 */
export function pageLanguageOf(
  request: Pick<IncomingMessage, 'headers'>,
  ofAccount?: string | null,
): PageLanguage {
  const chosen = ofAccount ?? cookieOf(request, LANGUAGE_COOKIE)
  if (chosen) return pageLanguageOrEnglish(chosen)
  const accepted = acceptedLanguages(request.headers['accept-language'])
  return accepted.map(pageLanguageFor).find((language) => language !== undefined) ?? 'en'
}
