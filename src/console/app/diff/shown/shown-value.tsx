import type { ReactNode } from 'react'
import type { CellValue, ColumnDefinition, ContentRef } from '../../../../core/document/model.ts'
import { t } from '../../words/words.ts'
import { Mention } from './mention.tsx'
import { ShownFile } from './shown-picture.tsx'
import { ShownRef } from './shown-ref.tsx'

/** The value of a cell that is no text, as readers see it. */
export function ShownValue({ value, column }: { value: CellValue; column: ColumnDefinition }): ReactNode {
  if (value === null) return null
  switch (column.type) {
    case 'checkbox':
      return (
        <span role="img" aria-label={value === true ? t('diff.yes') : t('diff.no')}>
          {value === true ? '☑' : '☐'}
        </span>
      )
    case 'rating':
      return `★ ${textOf(value)}/${column.max}`
    case 'select':
      return shownValueList(value)
        .map((one) => column.options.find((known) => known.value === one)?.label ?? one)
        .join(', ')
    case 'users':
      return shownValueList(value).map((user) => <Mention key={user} user={user} />)
    case 'files':
      return shownValueList(value).map((file) => <ShownFile key={file} file={file} />)
    case 'content-ref':
    case 'image':
      return <ShownRef value={refOf(value)} />
    default:
      return textOf(value)
  }
}

/** A value that is a single text, number or flag. */
const textOf = (value: CellValue): string => (typeof value === 'object' ? '' : String(value))

const shownValueList = (value: CellValue): readonly string[] =>
  Array.isArray(value) ? value : [textOf(value)]

const refOf = (value: CellValue): ContentRef => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'url', url: textOf(value) }
  return 'ref' in value && typeof value.ref === 'object' ? value.ref : (value as ContentRef)
}
