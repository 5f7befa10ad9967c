import { readTagSource } from '../html-source.ts'
import type { Phrase, PhraseElement } from '../reading.ts'
import { spanOf } from '../reading.ts'

/** Wraps the content between an opening inline HTML tag and its closing tag in an element. */
export function pairTags(phrases: Phrase[]): Phrase[] {
  if (!phrases.some((phrase) => phrase.type === 'html')) return phrases

  const tokens = phrases.map((phrase) => (phrase.type === 'html' ? readTagSource(phrase.value) : undefined))
  const closers = new Map<number, number>()
  const open: number[] = []
  const counts = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token?.type === 'open') {
      open.push(index)
      counts.set(token.name, (counts.get(token.name) ?? 0) + 1)
    }
    if (token?.type !== 'close' || !counts.get(token.name)) continue
    for (let opener = open.pop(); opener !== undefined; opener = open.pop()) {
      const name = tokens[opener]?.name ?? ''
      counts.set(name, (counts.get(name) ?? 0) - 1)
      if (name !== token.name) continue
      closers.set(opener, index)
      break
    }
  }

  const root: Phrase[] = []
  const elements: { element: PhraseElement; closer: number }[] = []
  for (const [index, phrase] of phrases.entries()) {
    const token = tokens[index]
    const around = elements.at(-1)
    const siblings = around?.element.children ?? root
    if (around?.closer === index && phrase.type === 'html') {
      around.element.close = phrase.value
      elements.pop()
      continue
    }
    const closer = closers.get(index)
    if (phrase.type !== 'html' || !token || (closer === undefined && token.type !== 'void')) {
      siblings.push(phrase)
      continue
    }
    const element: PhraseElement = {
      type: 'element',
      name: token.name,
      attributes: token.attributes,
      open: phrase.value,
      close: '',
      ...spanOf(phrase),
      children: [],
    }
    siblings.push(element)
    if (closer !== undefined) elements.push({ element, closer })
  }
  return root
}
