import type { ReactNode } from 'react'
import { ago, language, t } from '../../words/words.ts'

/** A table with several columns, which scrolls sideways on a narrow screen. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="wide-table" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

/** How long ago something was, with its exact time. */
export function When({ at }: { at: string | undefined }) {
  if (at === undefined) return <>{t('installation.never')}</>
  const exact = new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <time dateTime={at} title={exact}>
      {ago(at)}
    </time>
  )
}

export const number = (value: number): string => value.toLocaleString(language)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** A size such as "1.5 GB". */
export function bytes(size: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(size, 1)) / Math.log(1000)), UNITS.length - 1)
  const format = {
    style: 'unit',
    unit: UNITS[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  } as const
  return (size / 1000 ** power).toLocaleString(language, format)
}
