import { parentPort } from 'node:worker_threads'

import { createHighlighterCore, type HighlighterCore, type LanguageInput } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguages } from 'shiki/langs'

import type { CodeToken, HighlightedCode } from '../core/document/html/renderer.ts'
import { KIND_THEME, kindOfColour } from './highlight-theme.ts'

/** What the worker is asked. */
export interface HighlightRequest {
  id: number
  code: string
  language: string
}

/** What it answers; without lines the code stays plain. */
export interface HighlightAnswer {
  id: number
  lines?: HighlightedCode
}

/** Longest line that is looked at; minified code stays plain. */
const MAX_LINE = 20_000
const LINE_TIME_LIMIT_MS = 200

let highlighter: Promise<HighlighterCore> | undefined

async function highlight(code: string, language: string): Promise<HighlightedCode | undefined> {
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
    tokenizeTimeLimit: LINE_TIME_LIMIT_MS,
  })
  return lines.map((tokens) =>
    merge(tokens.map(({ content, color }) => ({ content, kind: kindOfColour(color) }))),
  )
}

// Neighbours of one kind become one token, and white space joins what is before it: fewer elements, the same look.
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

parentPort?.on('message', ({ id, code, language }: HighlightRequest) => {
  highlight(code, language).then(
    (lines) => parentPort?.postMessage({ id, lines } satisfies HighlightAnswer),
    // A grammar that fails is no reason for a page to fail: the code stays plain.
    () => parentPort?.postMessage({ id } satisfies HighlightAnswer),
  )
})
