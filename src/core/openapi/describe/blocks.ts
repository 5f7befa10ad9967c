/** The blocks and runs of text that descriptions of APIs are made of. */
import {
  block,
  filled,
  fragment,
  type InlineRun,
  line,
  paragraph,
  text,
  voidBlock,
} from '../../document/build.ts'
import type { Block } from '../../document/model.ts'

/** Content that readers unfold. */
export function folded(title: string, content: Block[], defaultExpanded: boolean): Block {
  return voidBlock('expandable', defaultExpanded ? { defaultExpanded } : {}, [
    fragment('expandable-title', [paragraph(title)], 'expandable-title'),
    fragment('expandable-body', filled(content), 'expandable-body'),
  ])
}

/** A block of code. @param written its text */
export function codeBlock(written: string, syntax: string, title?: string): Block {
  const lines = written.split('\n').map((one) => block('code-line', {}, [text(one)]))
  return block('code', title === undefined ? { syntax } : { syntax, title }, lines as never)
}

/** A paragraph of runs of text. */
export const said = (runs: InlineRun[]): Block => paragraph(line(runs))
export const plain = (value: string): InlineRun => ({ text: value, marks: [] })
export const bold = (value: string): InlineRun => ({ text: value, marks: [{ object: 'mark', type: 'bold' }] })
export const code = (value: string): InlineRun => ({ text: value, marks: [{ object: 'mark', type: 'code' }] })
