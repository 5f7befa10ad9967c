/** Pages about who the reader is. They show nothing of the site, because the reader may not see it. */
import { renderMessage } from './page.ts'
import type { SiteView } from './view.ts'
import { wordsOf } from './words/choose.ts'

/** Where the reader finds the site, and the assets of all sites. */
interface Place {
  base: string
  assets: string
}

const blank = ({ base, assets }: Place, language: string): SiteView => ({
  language,
  title: wordsOf(language).documentation,
  home: base,
  assets,
  tree: [],
  variants: [],
})

/**
 * The page for a reader who is not signed in.
 * @param to.language that of the reader
 * @param to.signIn the address of the sign-in page, if the site has one
 */
export function renderSignInNeeded(to: {
  place: Place
  language: string
  signIn?: string | undefined
  reason?: 'expired' | 'invalid' | undefined
}): string {
  const { signInTitle, signInText, signInExpired, signInInvalid, signIn } = wordsOf(to.language)
  const reasons = { expired: signInExpired, invalid: signInInvalid }
  return renderMessage(blank(to.place, to.language), {
    title: signInTitle,
    text: to.reason ? reasons[to.reason] : signInText,
    action: to.signIn === undefined ? undefined : { title: signIn, href: to.signIn },
  })
}

/** The page that asks a reader whether to sign out. Its form sends no fields. @param language that of the reader */
export function renderSignOut(place: Place, language: string): string {
  const { signOutTitle, signOutText, signOut } = wordsOf(language)
  return renderMessage(
    { ...blank(place, language), hasScripts: false, themeToggle: false },
    { title: signOutTitle, text: signOutText, action: { title: signOut, posts: true } },
  )
}

/** The page that follows the end of a reader's session. @param language that of the reader */
export function renderSignedOut(place: Place, language: string): string {
  const { signedOut, signedOutText, openSite } = wordsOf(language)
  return renderMessage(blank(place, language), {
    title: signedOut,
    text: signedOutText,
    action: { title: openSite, href: place.base },
  })
}
