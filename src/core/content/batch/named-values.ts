/** Changes the variables and the redirects of a space by a batch. */
import { LIMITS } from '../limits.ts'
import { isAbsoluteAddress, isWebAddress } from '../../text/file-paths.ts'
import { readGivenTarget, STRUCTURED_LIMITS, variableFault } from '../fields/structured.ts'
import { isVariableName } from '../fields/variable.ts'
import type { ContentRef } from '../../document/model.ts'
import { findPage, type Progress } from './progress.ts'
import { refuseBatch } from './refused.ts'
import type { Variables } from '../revision.ts'
import { trimmedPath } from '../tree/tree.ts'
import { because } from '../../languages/reasons.ts'
import { faultParameters, type Reasoned } from '../../languages/reasoned.ts'

/** A change of named values, as it is sent and as it is read. Null removes a value. */
export type NamedChange =
  | { operation: 'update_variables'; variables: Readonly<Record<string, Variables[string] | null>> }
  | { operation: 'update_redirects'; redirects: Readonly<Record<string, ContentRef | null>> }

/** True for a change of variables or redirects. */
export function isNamedChange(change: { operation: string }): change is NamedChange {
  return change.operation === 'update_variables' || change.operation === 'update_redirects'
}

/**
 * Checks everything that does not depend on the content.
 * @param byId replaces a reference by a name of the batch with a reference by id
 * @throws BatchRefused
 */
export function readNamedChange(
  change: NamedChange,
  byId: (ref: ContentRef) => ContentRef,
  index: number,
): NamedChange {
  if (change.operation === 'update_variables') {
    for (const [name, value] of Object.entries(change.variables)) {
      if (!isVariableName(name)) refuseBatch(index, 'variables', because('variable-name-invalid', { name }))
      const fault = value === null ? undefined : variableFault(value)
      if (fault !== undefined) refuseBatch(index, `variables.${name}`, fault)
    }
    return { operation: 'update_variables', variables: change.variables }
  }

  const redirects = Object.entries(change.redirects).map(([path, target]): [string, ContentRef | null] => {
    const fault = pathFault(path)
    if (fault !== undefined)
      refuseBatch(
        index,
        'redirects',
        because('value-refused', { name: JSON.stringify(path), ...faultParameters(fault) }),
      )
    return [path, target && readTarget(byId(target), path, index)]
  })
  return { operation: 'update_redirects', redirects: Object.fromEntries(redirects) }
}

function pathFault(path: string): Reasoned | undefined {
  if (trimmedPath(path.trim()) === '') return because('redirect-path-empty')
  if (path.length > STRUCTURED_LIMITS.address)
    return because('reference-too-long', { limit: STRUCTURED_LIMITS.address })
  if (isAbsoluteAddress(path) || /[\p{Cc}?#]/u.test(path)) return because('redirect-path-form')
  if (path.split('/').some((part) => /^\.\.?$/.test(part.trim()))) return because('redirect-path-relative')
  return undefined
}

function readTarget(ref: ContentRef, path: string, index: number): ContentRef {
  const field = `redirects.${path}`
  if (ref.kind === 'url' && !isWebAddress(ref.url))
    return refuseBatch(index, field, because('not-page-or-url'))
  const read = readGivenTarget(ref)
  if ('fault' in read) return refuseBatch(index, field, read.fault)
  if (ref.kind === 'url') return { kind: 'url', url: ref.url }
  if (ref.kind === 'page' && ref.space === undefined) return { kind: 'page', page: ref.page }
  return refuseBatch(index, field, because('not-page-or-url'))
}

/** Applies a change of named values. @throws BatchRefused */
export function applyNamedChange(progress: Progress, change: NamedChange, index: number): void {
  if (change.operation === 'update_variables') {
    const before = progress.variables
    const variables = new Map(Object.entries(before))
    for (const [name, value] of Object.entries(change.variables)) setNamed(variables, name, value)
    refuseMany(variables.size, Object.keys(before).length, STRUCTURED_LIMITS.variables, index, 'variables')
    progress.variables = Object.fromEntries(variables)
    return
  }

  const before = progress.redirects
  const redirects = new Map(Object.entries(before))
  const known = new Map([...redirects.keys()].map((path) => [keyOfRedirect(path), path]))
  for (const [path, target] of Object.entries(change.redirects)) {
    // Readers reach a redirect by any case of its path, so there is one for all of them.
    const name = known.get(keyOfRedirect(path)) ?? trimmedSlashes(path.trim())
    known.set(keyOfRedirect(path), name)
    setNamed(redirects, name, target && storedTarget(progress, target, path, index))
  }
  refuseMany(redirects.size, Object.keys(before).length, LIMITS.redirects, index, 'redirects')
  progress.redirects = Object.fromEntries(redirects)
}

function setNamed<V>(values: Map<string, V>, name: string, value: V | null): void {
  if (value === null) values.delete(name)
  else values.set(name, value)
}

/** An import may have brought more, which can be changed and removed. */
function refuseMany(size: number, before: number, most: number, index: number, field: string): void {
  if (size > most && size > before)
    refuseBatch(index, field, because('too-many-values-of-space', { size, field, limit: most }))
}

function storedTarget(progress: Progress, target: ContentRef, path: string, index: number): string {
  if (target.kind === 'url') return target.url
  const field = `redirects.${path}`
  const page = findPage(progress, target.kind === 'page' ? (target.page ?? '') : '', index, field)
  return (
    page.file ?? refuseBatch(index, field, because('page-without-body', { id: page.id, type: page.type }))
  )
}

/** Redirects whose paths have the same key are one. */
export function keyOfRedirect(path: string): string {
  return trimmedPath(path.trim().normalize('NFC'))
}

/** The path without slashes around it, in the case that it was sent in. */
function trimmedSlashes(path: string): string {
  const start = path.length - path.replace(/^\/+/, '').length
  return path.slice(start, start + trimmedPath(path).length)
}
