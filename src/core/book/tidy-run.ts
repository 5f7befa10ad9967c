import type { BookInline } from './model.ts'

/** Joins neighbouring texts, with one space where several met, and none at the ends. */
export function tidyRun(inlines: BookInline[]): BookInline[] {
  const found: BookInline[] = []
  for (const one of inlines) {
    const last = found.at(-1)
    if (one.t === 's' && last?.t === 's') {
      if (/\s$/.test(last.s) && !isCode(last)) one.s = isCode(one) ? one.s : one.s.replace(/^ +/, '')
      if (one.s === '') continue
      if (isAlike(one, last)) {
        last.s += one.s
        continue
      }
    }
    if (one.t === 's' && last?.t === 'br') one.s = one.s.replace(/^ +/, '')
    if (one.t === 's' && one.s === '') continue
    found.push(one)
  }
  const first = found[0]
  if (first?.t === 's' && !isCode(first)) first.s = first.s.replace(/^ +/, '')
  const last = found.at(-1)
  if (last?.t === 's' && !isCode(last) && last.s.endsWith(' ')) last.s = trimSpaces(last.s)
  while (found.at(-1)?.t === 'br') found.pop()
  return found.filter((one) => one.t !== 's' || one.s !== '')
}

function trimSpaces(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end--
  return text.slice(0, end)
}

type Run = Extract<BookInline, { t: 's' }>

const isCode = ({ m }: Run) => m?.includes('c') ?? false

function isAlike(a: Run, b: Run): boolean {
  return a.ink === b.ink && a.wash === b.wash && (a.m ?? []).join() === (b.m ?? []).join()
}
