/** The opening tags of conditions that no closing tag has ended yet. */
import type { Tag } from './tags.ts'

interface OpenTags {
  /** The number of opening tags that hide what follows. */
  count(): number
  add(opener: Tag): void
  /**
   * Removes the last opening tag of the form that a closing tag ends, with the `else` tags after it.
   * @param ends whether the closing tag may end an opening tag
   */
  close(closer: Tag, ends?: (opener: Tag) => boolean): { opener: Tag; branches: readonly Tag[] } | undefined
}

/** Begins a list of opening tags. Every tag is added and removed once, however many there are. */
export function openConditions(): OpenTags {
  const byForm = new Map<string, { tag: Tag; at: number }[]>()
  let added = 0
  let left = 0
  const ofForm = (form: string) => {
    const known = byForm.get(form) ?? []
    byForm.set(form, known)
    return known
  }
  return {
    count: () => left,
    add(tag) {
      ofForm(tag.form ?? 'if').push({ tag, at: added })
      added += 1
      left += 1
    },
    close(closer, ends = () => true) {
      const others = ofForm('else')
      // The `if` of an `else` may have been written so that nobody can find it.
      const known = ofForm(closer.form ?? 'if')
      const open = known.length > 0 ? known : others
      const last = open.at(-1)
      if (!last || !ends(last.tag)) return undefined
      const { isInOtherBrackets, section } = last.tag
      if (closer.isInOtherBrackets && !(isInOtherBrackets && section === closer.section)) return undefined
      open.pop()
      left -= 1
      const branches: Tag[] = []
      if (open === others) return { opener: last.tag, branches }
      for (let one = others.at(-1); one && one.at > last.at && ends(one.tag); one = others.at(-1)) {
        branches.push(one.tag)
        others.pop()
        left -= 1
      }
      return { opener: last.tag, branches }
    },
  }
}
