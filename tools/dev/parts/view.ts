/** What the page of components shows, as its address names it. */

/** The families of components, in the order of the page. */
export const FAMILIES = ['fields', 'forms', 'states', 'lists', 'content', 'diff'] as const

/** A family of components. */
export type Family = (typeof FAMILIES)[number]

/** A view of the page. Its address names each part that is not the first choice. */
export interface View {
  show: Family
  theme: 'light' | 'dark'
  language: 'en' | 'zh'
  width: 'wide' | 'phone'
}

/** The choices of each part of a view; the first one needs no name in the address. */
export const CHOICES: { readonly [K in keyof View]: readonly View[K][] } = {
  show: FAMILIES,
  theme: ['light', 'dark'],
  language: ['en', 'zh'],
  width: ['wide', 'phone'],
}

/** The view that a query names. */
export function viewOf(query: string): View {
  const given = new URLSearchParams(query)
  const choose = <V extends string>(name: string, choices: readonly V[]): V =>
    choices.find((one) => one === given.get(name)) ?? choices[0]!
  return {
    show: choose('show', CHOICES.show),
    theme: choose('theme', CHOICES.theme),
    language: choose('language', CHOICES.language),
    width: choose('width', CHOICES.width),
  }
}

/** The address of a view. */
export function addressOfView(view: View): string {
  const named = Object.entries(view).filter(([name, value]) => CHOICES[name as keyof View][0] !== value)
  const query = new URLSearchParams(named).toString()
  return `/app/~parts${query === '' ? '' : `?${query}`}`
}
