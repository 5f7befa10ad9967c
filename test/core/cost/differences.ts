/** Texts, changes of them, and everything that compares or merges them. */
import { alignBlocks } from '../../../src/core/content/align-blocks.ts'
import { revertBlocks } from '../../../src/core/content/batch/revert.ts'
import { diffBlocks, followBlocks } from '../../../src/core/content/edit/block-diff.ts'
import { editBlocks } from '../../../src/core/content/edit/edit-blocks.ts'
import { mergeWrites } from '../../../src/core/content/edit/merge-writes.ts'
import { suggestedBlocks } from '../../../src/core/content/edit/suggest.ts'
import { diffSequences, mergeLines, splitLines } from '../../../src/core/content/line-merge.ts'
import { mergeBodies, mergeEffort } from '../../../src/core/content/merge/body.ts'
import { placeInBody } from '../../../src/core/content/merge/body-place.ts'
import { replaceBlock } from '../../../src/core/content/merge/resolve-body.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { repeated, type Families } from './growth.ts'

/** Texts, most of whose lines are equal or all of which differ. */
export const TEXTS: Families = {
  'equal lines': repeated('a\n'),
  'two kinds of lines': (size) =>
    lines(size / 2, (index) => (((index * 7919) >> 3) % 2 === 0 ? 'a\n' : 'b\n')),
  'different lines': (size) => lines(size / 8, (index) => `l${index}\n`),
  'equal paragraphs': repeated('a\n\n'),
  'different paragraphs': (size) => lines(size / 10, (index) => `p ${index}\n\n`),
  'alike paragraphs': (size) =>
    lines(size / 60, (index) => `some words that are equal but ${index} of them\n\n`),
  'long paragraphs': (size) => lines(size / 2000, (index) => `${'word '.repeat(400)}${index}\n\n`),
  'one paragraph': repeated('word '),
  'one word': repeated('a'),
  'blank lines': repeated('\n'),
  'lines of spaces': repeated('  \n'),
  spaces: repeated(' '),
  'Windows lines': repeated('a\r\n'),
  'mixed line breaks': repeated('a\r\nb\n'),
  returns: repeated('\r'),
  lists: (size) => lines(size / 8, (index) => `* i${index}\n`),
  headings: (size) => lines(size / 10, (index) => `## h${index}\n\n`),
  'front matter': (size) => `---\n${lines(size / 8, (index) => `k${index}: ${index}\n`)}---\n\na\n`,
  'front matter of spaces': repeated(' ', '---\na', 'b\n---\n\na\n'),
  'front matter of comments': repeated('# a\n', '---\na: b\n', '---\n\na\n'),
  fences: repeated('```\n'),
  definitions: (size) => lines(size / 16, (index) => `[r${index}]: /a\n`),
  comments: repeated('<!-- a -->\n\n'),
  hints: repeated('{% hint style="info" %}\na\n{% endhint %}\n\n'),
  'a title and blank lines': repeated('\n', '# T\n', 'a\n'),
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: Math.ceil(count) }, (_, index) => line(index)).join('')
}

/** Changes of a text. */
export const EDITS: Record<string, (text: string) => string> = {
  'one line more': (text) => `x\n\n${text}`,
  'every other line changed': (text) => changed(text, 2, (line) => `x${line}`),
  'every third line left out': (text) => changed(text, 3, () => ''),
  'every fifth line twice': (text) => changed(text, 5, (line) => line + line),
  'all lines changed': (text) => changed(text, 1, (line) => `y${line}`),
  reversed: (text) => splitLines(text).toReversed().join(''),
  'halves swapped': (text) => text.slice(text.length / 2) + text.slice(0, text.length / 2),
  nothing: () => '',
}

/** Changes every nth line. */
export function changed(text: string, nth: number, change: (line: string) => string): string {
  return splitLines(text)
    .map((line, index) => (index % nth === 0 ? change(line) : line))
    .join('')
}

const blocksOf = (source: string) => parsePage(source).document.nodes

type Work = (before: string, now: string, other: string) => unknown

/** Everything that is done with two or three texts. */
export const WORKS: Record<string, Work> = {
  'compares lines of': (before, now) => diffSequences(splitLines(before), splitLines(now), mergeEffort()),
  'merges lines of': (before, now, other) => mergeLines(before, now, other, mergeEffort()),
  'aligns blocks of': (before, now) => alignBlocks(before.split('\n\n'), now.split('\n\n'), mergeEffort()),
  'merges bodies of': (base, primary, own) => mergeBodies({ base, primary, own }, 'own'),
  'resolves a conflict of': (before, now) => {
    const source = `above\n\n${now}\n\nbelow\n`
    replaceBlock(source, now, before, placeInBody(source, 7, now.length))
    replaceBlock(source, null, before, placeInBody(source, 7, 0))
  },
  'reverts blocks of': (before, now) => {
    const keys = parsePage(now).document.nodes.flatMap(({ key }) => key ?? [])
    return revertBlocks({ title: 'Page', source: now, before, keys })
  },
  'writes blocks of': (before, now) => {
    const keys = blocksOf(before).map(({ key }) => key!)
    const fresh = blocksOf(now)
    const keyed = fresh.map((block, i) => ({ block: { ...block, ...(keys[i] && { key: keys[i] }) } }))
    for (const entries of [
      keyed,
      fresh.map((block) => ({ block })),
      keys.toReversed().map((keep) => ({ keep })),
    ])
      editBlocks({ source: before, references: new Map(), entries })
  },
  'merges writes of': (base, theirs, mine) => mergeWrites({ base, theirs, mine }),
  'compares blocks of': (before, now) => diffBlocks(blocksOf(before), blocksOf(now)),
  'follows blocks of': (before, now) => followBlocks(blocksOf(before), blocksOf(now)),
  'suggests a text for': (before, now) => {
    const [was, is] = [before, now].map((source) => ({ source, key: blocksOf(source).at(-1)?.key ?? '' }))
    const task = { ...is!, madeFor: was! }
    suggestedBlocks({ ...task, suggestion: { markdown: now + before } })
    const range = { start: 1, end: 10_000 }
    const part = { ...task, range, madeFor: { ...was!, range } }
    suggestedBlocks({ ...part, suggestion: { text: now + before } })
  },
}
