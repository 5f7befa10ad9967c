import { useState } from 'react'

/** The values of a form before they are saved. */
export interface FormValues<V extends object> {
  values: V
  /** Changes some of the values. */
  set(changed: Partial<V>): void
  /** Puts other values in place of all. */
  replace(values: V): void
}

/** The values of a form, which are those of `saved` at first. */
export function useFormValues<V extends object>(saved: V | (() => V)): FormValues<V> {
  const [values, replace] = useState(saved)
  return { values, set: (changed) => replace((before) => ({ ...before, ...changed })), replace }
}
