/** Variables by their names: texts, numbers, or true and false. */
import { Button } from 'react-aria-components'
import { LineField } from '../ui/fields.tsx'
import { Named } from '../ui/parts.tsx'
import { t } from '../words/words.ts'
import type { VariableValues } from '../content/tree/page-fields.ts'

/** A variable that is written. */
export interface WrittenVariable {
  key: number
  name: string
  text: string
}

/** A value as people write it. Quotes make a text of what would be a number or a truth value. */
export function writtenValue(value: string | number | boolean): string {
  return typeof value === 'string' && typeof readValue(value) !== 'string'
    ? JSON.stringify(value)
    : String(value)
}

/** The value that somebody has written. */
export function readValue(text: string): string | number | boolean {
  const trimmed = text.trim()
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
  if (/^-?\d+(?:\.\d+)?$/.test(trimmed) && String(Number(trimmed)) === trimmed) return Number(trimmed)
  const [, quoted] = /^"(.*)"$/s.exec(trimmed) ?? []
  return quoted === undefined || typeof readValue(quoted) === 'string' ? text : quoted
}

/** The rows for some variables. */
export function writtenVariables(values: VariableValues): WrittenVariable[] {
  return Object.entries(values).map(([name, value], key) => ({ key, name, text: writtenValue(value) }))
}

/** The variables of rows; rows without a name are left out. */
export function readVariables(rows: readonly WrittenVariable[]): VariableValues {
  return Object.fromEntries(
    rows.filter(({ name }) => name.trim() !== '').map(({ name, text }) => [name.trim(), readValue(text)]),
  )
}

/** Rows of names and values, with a button that adds one. */
export function VariablesField({
  rows,
  onChange,
}: {
  rows: readonly WrittenVariable[]
  onChange: (rows: WrittenVariable[]) => void
}) {
  const set = (key: number, values: Partial<WrittenVariable>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...values } : row)))
  return (
    <div className="variables">
      {rows.map(({ key, name, text }) => (
        <div key={key} className="fields-row">
          <LineField label={t('common.name')} value={name} onChange={(next) => set(key, { name: next })} />
          <LineField label={t('common.value')} value={text} onChange={(next) => set(key, { text: next })} />
          <Button className="small quiet" onPress={() => onChange(rows.filter((row) => row.key !== key))}>
            <Named name={name}>{t('common.remove')}</Named>
          </Button>
        </div>
      ))}
      <Button
        className="button small"
        onPress={() => onChange([...rows, { key: (rows.at(-1)?.key ?? -1) + 1, name: '', text: '' }])}
      >
        {t('page.add-a-variable')}
      </Button>
    </div>
  )
}
