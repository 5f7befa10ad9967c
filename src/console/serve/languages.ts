import { languageCookie, pageLanguageFor } from '../../core/languages/page-languages.ts'
import { ownPath } from '../../http/request/own-path.ts'
import { refused } from './account.ts'
import type { PageHandler } from './page.ts'

/** The choice of the language of these pages and of the console. */
export const languagePages: Record<string, PageHandler> = {
  async 'POST /app/language'(context) {
    const { form, me, call } = context
    const location = ownPath(form.get('next'))
    const language = pageLanguageFor(form.get('language') ?? '')
    if (!language) return { location }
    // A session that is limited to an organization cannot change the account, so the choice counts in this browser.
    if (me && me.organizationId === undefined) {
      const { error } = await call('updateUserById', { params: { userId: me.userId }, body: { language } })
      if (error) return refused(context, error)
    }
    return { location, cookies: [languageCookie(language)] }
  },
}
