import { useRef } from 'react'
import { Button, Input, Label, TextArea, TextField } from 'react-aria-components'
import type { PlainId } from '../../words/message-ids.ts'
import { t } from '../../words/words.ts'
import { FormulaPreview } from './formula-preview.tsx'

/** The parts that buttons insert into a formula, and their names. The author replaces `□`, which is selected. */
const PARTS: readonly (readonly [tex: string, label: PlainId, sign: string])[] = [
  ['\\frac{□}{b}', 'editor.fraction', '½'],
  ['\\sqrt{□}', 'editor.root', '√'],
  ['^{□}', 'editor.power', '²'],
  ['_{□}', 'editor.index', '₂'],
  ['\\sum_{□}^{n}', 'editor.sum', '∑'],
  ['\\int_{□}^{b}', 'editor.integral', '∫'],
  ['\\le □', 'editor.at-most', '≤'],
  ['\\ne □', 'editor.not-equal', '≠'],
  ['\\times □', 'editor.times', '×'],
  ['\\pi □', 'editor.pi', 'π'],
  ['\\alpha □', 'editor.alpha', 'α'],
  ['\\begin{pmatrix} □ & b \\\\ c & d \\end{pmatrix}', 'editor.matrix', '▦'],
]

/** A formula in TeX, with buttons for its parts, as readers will see it. */
export function FormulaField({
  label,
  value,
  onChange,
  isDisplay,
  isRequired,
  autoFocus,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  /** Whether the formula is a block, and not in a line. */
  isDisplay: boolean
  isRequired: boolean
  autoFocus: boolean
}) {
  const area = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const insert = (tex: string) => {
    const field = area.current
    if (!field) return
    const [before = '', after = ''] = tex.split('□')
    const [start, end] = [field.selectionStart, field.selectionEnd]
    // The selected text becomes the inner part. Without a selection, the author writes it.
    const inner = value.slice(start, end) || (after === '' ? '' : 'a')
    onChange(value.slice(0, start) + before + inner + after + value.slice(end))
    const from = start + before.length
    requestAnimationFrame(() => {
      field.focus()
      field.setSelectionRange(from, from + inner.length)
    })
  }
  return (
    <>
      <TextField
        className="field"
        value={value}
        onChange={onChange}
        isRequired={isRequired}
        autoFocus={autoFocus}
      >
        <Label>{label}</Label>
        {isDisplay ? (
          <TextArea ref={area} rows={5} spellCheck="false" dir="ltr" />
        ) : (
          <Input ref={area} spellCheck="false" dir="ltr" />
        )}
      </TextField>
      <div className="formula-parts" role="group" aria-label={t('editor.parts-of-formulas')}>
        {PARTS.map(([tex, name, sign]) => (
          <Button key={name} className="tool" onPress={() => insert(tex)}>
            <span aria-hidden="true">{sign}</span> {t(name)}
          </Button>
        ))}
      </div>
      <p className="hint">{t('editor.te-x-writes-formulas')}</p>
      <FormulaPreview formula={value} isDisplay={isDisplay} />
    </>
  )
}
