import { createHighlighterCore, type HighlighterCore, type LanguageInput } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguages } from 'shiki/langs'

import type { CodeToken, HighlightedCode } from '../core/document/html/renderer.ts'
import { KIND_THEME, kindOfColour } from './kind-theme.ts'

/** A block of code, and the language that Shiki highlights it as. */
export interface HighlightTask {
  code: string
  language: string
}

/** The tokens of a block, or none for a language that Shiki does not know, and the time that it took in milliseconds. */
export interface HighlightOutcome {
  lines?: HighlightedCode
  ms: number
}

/** The longest line that is highlighted. Longer lines, such as minified code, stay plain. */
const MAX_LINE = 20_000

let highlighter: Promise<HighlighterCore> | undefined

/** Highlights a block of code, in a thread. */
export async function highlightBlock(task: HighlightTask): Promise<HighlightOutcome> {
  const start = performance.now()
  const lines = await highlight(task)
  return { ...(lines ? { lines } : {}), ms: performance.now() - start }
}

async function highlight({ code, language }: HighlightTask): Promise<HighlightedCode | undefined> {
  const load = new Map<string, LanguageInput>(Object.entries(bundledLanguages)).get(language)
  if (!load) return undefined

  highlighter ??= createHighlighterCore({
    themes: [KIND_THEME],
    langs: [],
    engine: createOnigurumaEngine(import('shiki/wasm')),
  })
  const shiki = await highlighter
  await shiki.loadLanguage(load)

  const lines = shiki.codeToTokensBase(code, {
    lang: language,
    theme: 'kinds',
    tokenizeMaxLineLength: MAX_LINE,
    // No limit in time: a line that is cut off would be cached as finished. The pool ends a task that takes too long.
    tokenizeTimeLimit: 0,
  })
  return lines.map((tokens) =>
    merge(tokens.map(({ content, color }) => ({ content, kind: kindOfColour(color) }))),
  )
}

// Adjacent tokens of one kind are merged, and white space joins the token before it: fewer elements, the same look.
function merge(tokens: { content: string; kind: CodeToken['kind'] }[]): CodeToken[] {
  const merged: CodeToken[] = []
  for (const { content, kind } of tokens) {
    const last = merged.at(-1)
    if (last && (last.kind === kind || content.trim() === '')) {
      last.length += content.length
      continue
    }
    merged.push(
      kind === undefined || content.trim() === ''
        ? { length: content.length }
        : { length: content.length, kind },
    )
  }
  return merged
}
