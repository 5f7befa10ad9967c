import type { ReactNode } from 'react'

const SIGNS = { ok: '✓', missing: '✗', info: '•', 'info unresolved': '!' }

/** A line of what a merge needs, or of what a person should know before it. */
export function Check({ kind = 'missing', children }: { kind?: keyof typeof SIGNS; children: ReactNode }) {
  return (
    <li className={kind}>
      <span aria-hidden="true">{SIGNS[kind]}</span>
      <span>{children}</span>
    </li>
  )
}
