import { isRecord } from '../data/is-record.ts'
import { ScimFault } from './fault.ts'
import { type FilterTerm, LONGEST_FILTER, parseFilter } from './filter.ts'

/** One attribute that a request sets. */
export interface Assignment {
  /** `remove` has no value, unless it names the values to remove. */
  op: 'add' | 'replace' | 'remove'
  /** In lower case, without a sub-attribute: `name`. */
  attribute: string
  /** In lower case: `givenname`. */
  sub?: string
  /** The conditions in brackets, without the name of the attribute: `type eq "work"`. */
  where?: FilterTerm[]
  value: unknown
}

const MOST_OPERATIONS = 1000
const MOST_ATTRIBUTES = 200
const PATH = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i

/** The assignments of a whole resource, as POST and PUT send it. */
export function assignmentsOf(resource: Record<string, unknown>): Assignment[] {
  const entries = Object.entries(resource)
  if (entries.length > MOST_ATTRIBUTES)
    throw new ScimFault('tooMany', `The resource has more than ${MOST_ATTRIBUTES} attributes`)
  return entries.flatMap(([path, value]) => assign('replace', path, value))
}

/**
 * The assignments of a PATCH (RFC 7644, section 3.5.2), in their order. Besides the standard, it reads what Entra ID and
 * Okta send: operations in any case, values without a path, and paths as keys of such a value.
 * @throws ScimFault
 */
export function readPatch(operations: unknown): Assignment[] {
  if (!Array.isArray(operations))
    throw new ScimFault('invalidSyntax', '"Operations" must be a list of operations')
  if (operations.length > MOST_OPERATIONS)
    throw new ScimFault('tooMany', `A PATCH has at most ${MOST_OPERATIONS} operations`)
  return operations.flatMap((operation: unknown) => {
    if (!isRecord(operation)) throw new ScimFault('invalidSyntax', 'An operation must be an object')
    const { path, value } = operation
    const op = String(operation.op).toLowerCase()
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw new ScimFault('invalidSyntax', '"op" must be "add", "replace" or "remove"')
    if (typeof path === 'string' && path !== '') return assign(op, path, value)
    if (path !== undefined && path !== null && path !== '')
      throw new ScimFault('invalidPath', '"path" must be a text')
    if (op === 'remove') throw new ScimFault('noTarget', 'A "remove" needs a "path"')
    if (!isRecord(value))
      throw new ScimFault('invalidValue', 'Without a "path", "value" must be an object with the attributes')
    const entries = Object.entries(value)
    if (entries.length > MOST_ATTRIBUTES)
      throw new ScimFault('tooMany', `A value has at most ${MOST_ATTRIBUTES} attributes`)
    return entries.flatMap(([key, inner]) => assign(op, key, inner))
  })
}

/** The assignment of one path; none for a path of an extension, which Lectern does not store. */
function assign(op: Assignment['op'], path: string, value: unknown): Assignment[] {
  if (path.length > LONGEST_FILTER)
    throw new ScimFault('invalidPath', `A path has at most ${LONGEST_FILTER} characters`)
  const plain = path.replace(CORE, '')
  if (/^urn:/i.test(plain)) return []
  const [, attribute = '', filter, sub] = PATH.exec(plain) ?? []
  if (!attribute) throw new ScimFault('invalidPath', `"${path}" is no path of an attribute`)
  return [
    {
      op,
      attribute: attribute.toLowerCase(),
      ...(sub === undefined ? {} : { sub: sub.toLowerCase() }),
      ...(filter === undefined ? {} : { where: parseFilter(filter) }),
      value,
    },
  ]
}
