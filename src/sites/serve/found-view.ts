import type { FoundView } from '../render/search-page.ts'
import type { SitePageFound } from './search-pages.ts'

/** A page that was found, as pages show it. */
export function toFoundView({ title, address, description, trail, sections }: SitePageFound): FoundView {
  const intro = sections.find(({ anchor }) => anchor === undefined)
  return {
    title,
    href: address,
    trail,
    text: intro?.parts ?? (description ? [{ text: description, isMatch: false }] : []),
    sections: sections.flatMap((section) =>
      section.anchor === undefined
        ? []
        : [
            {
              title: section.title,
              href: `${address}#${encodeURIComponent(section.anchor)}`,
              text: section.parts,
            },
          ],
    ),
  }
}
